import { formatDateTime } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Moment, type MomentProps } from "#web/ui/moment.tsx";
import type { Column } from "./data-table.tsx";

/** Returns a column of moments, which sorts by time. A row without one has an empty cell. */
export function momentColumn<TRow>(
  title: string,
  at: (row: TRow) => string | null | undefined,
  format: NonNullable<MomentProps["as"]> = formatDateTime,
): Column<TRow> {
  const read = (row: TRow) => at(row) ?? "";
  return {
    title,
    text: (row) => read(row) && format(read(row)),
    render: (row) => read(row) && <Moment at={read(row)} as={format} />,
    sortBy: read,
    wrap: "never",
  };
}

/** Returns a column of amounts in cents. A row without one has an empty cell. */
export function moneyColumn<TRow>(title: string, read: (row: TRow) => number | null): Column<TRow> {
  const format = (cents: number | null) => (cents === null ? "" : formatAud(cents));
  return { title, text: (row) => format(read(row)), sortBy: (row) => read(row) ?? 0, align: "right", wrap: "never" };
}
