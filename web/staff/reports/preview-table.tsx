import { useEffect, useRef, useState } from "react";
import { brand } from "#schema/brand.ts";
import { formatClock, formatDate, formatDateTime } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { ReportPreviewQuery } from "#web/generated/graphql.ts";
import classes from "./reports.module.css";

type Preview = ReportPreviewQuery["reportPreview"];

/** Shows the first rows of a report in a table that scrolls horizontally. */
export function PreviewTable({ preview: { columns, rows, total } }: { preview: Preview }) {
  const { frame, hasOverflow } = useOverflow();
  return (
    <div className={classes.rows}>
      <div
        ref={frame}
        className={classes.scroll}
        // The frame is focusable only while it scrolls, so that it can be scrolled with the keyboard.
        {...(hasOverflow ? { tabIndex: 0, role: "group", "aria-label": "First rows, scrollable" } : {})}
      >
        <table className={classes.table} aria-label="First rows">
          <thead>
            <tr>
              {columns.map(({ title, kind }) => (
                <th key={title} scope="col" data-kind={kind}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no ID and are never reordered
              <tr key={at}>
                {columns.map((column, index) => (
                  <td key={column.title} data-kind={column.kind}>
                    <span className={classes.cell}>{formatCell(row?.[index] ?? null, column)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > rows.length && (
        <p className={classes.more}>Showing the newest {rows.length} rows. The file contains all rows.</p>
      )}
    </div>
  );
}

/** Formats a cell. Times are in UTC if the column title says so, and otherwise in the vendor's time zone. */
function formatCell(value: string | null, { kind, title }: Pick<Preview["columns"][number], "kind" | "title">): string {
  if (value === null || value === "") return "";
  if (kind === "date") {
    if (Number.isNaN(Date.parse(value))) return value;
    if (!title.includes("(UTC)")) return formatDateTime(value, brand.timeZone);
    return `${formatDate(value, "UTC")}, ${formatClock(value, "UTC")}`;
  }
  if (kind === "money") return formatAud(Math.round(Number(value) * 100));
  return value;
}

function useOverflow() {
  const frame = useRef<HTMLDivElement>(null);
  const [hasOverflow, setHasOverflow] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHasOverflow(element.scrollWidth > element.clientWidth + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, hasOverflow };
}
