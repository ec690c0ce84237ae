import { useEffect, useRef, useState } from "react";
import { brand } from "#schema/brand.ts";
import { formatClock, formatDate, formatDateTime } from "#schema/dates.ts";
import { aud } from "#schema/money.ts";
import type { ReportPreviewQuery } from "#web/generated/graphql.ts";
import classes from "./reports.module.css";

type Preview = ReportPreviewQuery["reportPreview"];

/** The first rows, cell by cell as the file has them; as wide as it is, it scrolls within its frame. */
export function PreviewTable({ preview: { columns, rows, total } }: { preview: Preview }) {
  const { frame, overflows } = useOverflow();
  return (
    <div className={classes.rows}>
      <div
        ref={frame}
        className={classes.scroll}
        // What scrolls must be reachable by keyboard; what does not scroll should cost no stop.
        {...(overflows ? { tabIndex: 0, role: "group", "aria-label": "First rows, scrollable" } : {})}
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
              // Rows have no names of their own, and never move.
              // oxlint-disable-next-line react/no-array-index-key -- see above
              <tr key={at}>
                {columns.map((column, index) => (
                  <td key={column.title} data-kind={column.kind}>
                    <span className={classes.cell}>{inCell(row?.[index] ?? null, column)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > rows.length && (
        <p className={classes.more}>The newest {rows.length} are shown. The file has all of them.</p>
      )}
    </div>
  );
}

/** Returns a cell's text: times in UTC where the column's title says so, else in the vendor's zone; amounts as money. */
function inCell(value: string | null, { kind, title }: Pick<Preview["columns"][number], "kind" | "title">): string {
  if (value === null || value === "") return "";
  if (kind === "date") {
    if (Number.isNaN(Date.parse(value))) return value;
    if (!title.includes("(UTC)")) return formatDateTime(value, brand.timeZone);
    return `${formatDate(value, "UTC")}, ${formatClock(value, "UTC")}`;
  }
  if (kind === "money") return aud(Math.round(Number(value) * 100));
  return value;
}

function useOverflow() {
  const frame = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setOverflows(element.scrollWidth > element.clientWidth + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, overflows };
}
