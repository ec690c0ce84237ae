import { formatDateTime } from "#schema/dates.ts";

/** A time in the reader's time zone, with UTC in its title; `Never` for null. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return "Never";
  return (
    <time dateTime={at} title={at}>
      {formatDateTime(at)}
    </time>
  );
}
