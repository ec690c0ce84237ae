import { formatDateTime, formatDateTimeWithSeconds } from "#schema/dates.ts";

export interface MomentProps {
  /** ISO 8601. */
  at: string;
  /** A formatter of `schema/dates.ts`. Default is date and time in the reader's zone, with its name. */
  as?: ((moment: string) => string) | undefined;
}

/** Shows a moment, with its time in UTC in the tooltip. Texts that can't have elements, such as labels, use the formatter. */
export function Moment({ at, as: format = formatDateTime }: MomentProps) {
  return (
    <time dateTime={at} title={formatDateTimeWithSeconds(at, "UTC")}>
      {format(at)}
    </time>
  );
}
