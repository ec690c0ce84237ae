import type { CSSProperties, ReactNode } from "react";
import layout from "#web/ui/layout.module.css";
import classes from "./gantt.module.css";

/** A row of the chart. `at` and `length` are percentages of its width. */
export interface GanttRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly at: number;
  readonly length: number;
  readonly level?: number;
}

export interface GanttProps<Row extends GanttRow> {
  label: string;
  rows: readonly Row[];
  /** Columns between the name and the bars. Narrow screens leave them out. */
  columns: readonly { readonly title: string; readonly value: (row: Row) => ReactNode }[];
  months: readonly { readonly at: number; readonly label: string }[];
  isNight?: boolean;
}

const place = (row: { readonly at: number; readonly length?: number }) =>
  ({ "--at": `${row.at}%`, "--length": `${row.length ?? 0}%` }) as CSSProperties;

/** A schedule as planning programs show it: a table with a bar for each row. */
export function Gantt<Row extends GanttRow>({ label, rows, columns, months, isNight = false }: GanttProps<Row>) {
  return (
    <div className={layout.framed} data-night={isNight || undefined}>
      <table className={`${layout.table} ${classes.table}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Activity</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className={classes.extra}>
                {title}
              </th>
            ))}
            <th scope="col" className={classes.time}>
              <span className={layout.hidden}>Time</span>
              <span className={classes.axis} aria-hidden="true">
                {months.map((month) => (
                  <span key={month.label} style={place(month)}>
                    {month.label}
                  </span>
                ))}
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-kind={row.kind}>
              <th scope="row" style={{ "--level": (row.level ?? 1) - 1 } as CSSProperties}>
                {row.name}
              </th>
              {columns.map(({ title, value }) => (
                <td key={title} className={classes.extra}>
                  {value(row)}
                </td>
              ))}
              <td className={classes.time} aria-hidden="true">
                <span className={classes.bar} style={place(row)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
