import { formatDateTime } from "#schema/dates.ts";
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
