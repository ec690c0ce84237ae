import { Anchor, Paper, Table, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { toValue } from "#schema/closed-list.ts";
import { formatAud } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import { taxFigureList, type TaxFigureName } from "#schema/tax.ts";
import type { TaxSummaryQuery } from "#web/generated/graphql.ts";

export interface TaxSummaryTableProps {
  figures: TaxSummaryQuery["taxSummary"];
  /** Name of the figure whose rows are shown. */
  current: TaxFigureName;
  /** Returns the URL of a figure's rows. */
  buildHref: (figure: TaxFigureName) => string;
}

/** Formats whole dollars, such as `A$1,234`. */
const formatDollars = (dollars: number) => formatAud(dollars * 100).replace(/\.00$/, "");

/** Shows the figures of the GST summary, in whole dollars as on the business activity statement, and exactly. Each links to its rows. */
export function TaxSummaryTable({ figures, current, buildHref }: TaxSummaryTableProps) {
  return (
    <Paper withBorder radius="lg" style={{ overflowX: "auto" }}>
      <Table
        aria-label="GST summary"
        tabularNums
        verticalSpacing="sm"
        // Both amounts fit on a phone of 390 pixels.
        horizontalSpacing="clamp(0.3rem, 1.5vw, 1rem)"
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w="clamp(2.75rem, 8vw, 4.5rem)">
              Label
            </Table.Th>
            <Table.Th scope="col">Figure</Table.Th>
            <Table.Th scope="col" ta="right">
              Whole dollars
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Exact amount
            </Table.Th>
            <Table.Th scope="col" ta="right" visibleFrom="xs">
              Rows
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.map(({ name: figure, code, label, cents, dollars, count }) => {
            const name = toValue(taxFigureList, figure);
            return (
              <Table.Tr key={name} bg={name === current ? "var(--xp-sunken)" : undefined}>
                <Table.Td>
                  <Text span inherit fw={600}>
                    {code ?? ""}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Anchor
                    component={Link}
                    to={buildHref(name)}
                    inherit
                    aria-current={name === current ? "true" : undefined}
                    preventScrollReset
                  >
                    {label}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="right" fw={560} style={{ whiteSpace: "nowrap" }}>
                  {dollars == null ? "" : formatDollars(dollars)}
                </Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
                  {formatAud(cents)}
                </Table.Td>
                <Table.Td ta="right" visibleFrom="xs">
                  {formatNumber(count)}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
