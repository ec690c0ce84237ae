import type { SecurityEventFilter } from "#web/generated/graphql.ts";

/** Filter of the page as it is in the URL. Days are `YYYY-MM-DD` in the viewer's time zone. */
export const emptyChoice = { type: "", search: "", address: "", from: "", to: "" };
export type EventChoice = typeof emptyChoice;

/** Reads the filter from the URL. */
export function readChoice(params: URLSearchParams): EventChoice {
  return Object.fromEntries(Object.keys(emptyChoice).map((name) => [name, params.get(name) ?? ""])) as EventChoice;
}

/** Converts a filter to the parameters of the URL, without empty ones. */
export function toParams(choice: EventChoice): Record<string, string> {
  const filled = Object.entries(choice).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : []));
  return Object.fromEntries(filled) as Record<string, string>;
}

/** Converts a filter to the arguments of the query and of the download. */
export function toRequest({ type, from, to, ...rest }: EventChoice): { types: string[]; filter: SecurityEventFilter } {
  const times = { from: toTimestamp(from, "00:00:00.000"), to: toTimestamp(to, "23:59:59.999") };
  return { types: type ? [type] : [], filter: toParams({ ...emptyChoice, ...rest, ...times }) };
}

/** Converts a date to a timestamp; empty without a valid date. */
function toTimestamp(day: string, time: string): string {
  const at = new Date(`${day}T${time}`);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}
