import { Paper, Table, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { formatDateTime, formatSellerDateTime } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { ReportPreviewQuery, ReportColumnKind } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";

type Preview = ReportPreviewQuery["reportPreview"];

/** Shows the first rows of a report in a table that scrolls horizontally. */
export function PreviewTable({ preview: { columns, rows, total } }: { preview: Preview }) {
  const { frame, hasOverflow } = useOverflow();
  return (
    <div>
      <Paper
        ref={frame}
        withBorder
        style={{ overflowX: "auto" }}
        // The frame is focusable only while it scrolls, so that it can be scrolled with the keyboard.
        {...(hasOverflow ? { tabIndex: 0, role: "group", "aria-label": "First rows, scrollable" } : {})}
      >
        <Table aria-label="First rows" fz="xs" verticalSpacing={7} horizontalSpacing="sm" tabularNums>
          <Table.Thead bg="var(--xp-sunken)" c="dimmed">
            <Table.Tr>
              {columns.map(({ title, kind }) => (
                <Table.Th key={title} scope="col" ta={getAlignment(kind)} style={{ whiteSpace: "nowrap" }}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no ID and are never reordered
              <Table.Tr key={at}>
                {columns.map((column, index) => (
                  <Table.Td key={column.title} ta={getAlignment(column.kind)}>
                    <Text span inherit display="block" maw="20rem" truncate>
                      {formatCell(row?.[index] ?? null, column)}
                    </Text>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {total > rows.length && (
        <Text c="dimmed" fz="sm" mt="xs">
          Showing the newest {rows.length} rows. The file contains all rows.
        </Text>
      )}
    </div>
  );
}

const getAlignment = (kind: ReportColumnKind) => (kind === "NUMBER" || kind === "MONEY" ? "right" : "left");

const formatUtc = (moment: string) => formatDateTime(moment, "UTC");

/** Formats a cell. Times are in UTC if the column title says so, and otherwise in the vendor's time zone. */
function formatCell(
  value: string | null,
  { kind, title }: Pick<Preview["columns"][number], "kind" | "title">,
): ReactNode {
  if (value === null || value === "") return "";
  if (kind === "DATE") {
    if (Number.isNaN(Date.parse(value))) return value;
    return <Moment at={value} as={title.includes("(UTC)") ? formatUtc : formatSellerDateTime} />;
  }
  if (kind === "MONEY") return formatAud(Math.round(Number(value) * 100));
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
