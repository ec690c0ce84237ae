import { Box, Center, Paper, Table, Text, VisuallyHidden } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const BarPlot = lazyPart(() => import("./bar-plot.tsx"), "message", null);

export interface BarPoint {
  key: string;
  /** Name of the bar in the tooltip and the table: `12 Nov`. */
  label: string;
  /** Shorter text under the bar, if the label is too wide for it. */
  short?: string;
  /** Not negative. */
  value: number;
  /** The filled part of the bar, for the share of `value` that `partName` describes. */
  part?: number;
}

export interface BarChartProps {
  /** Title of the chart: `Validations a day`. */
  label: string;
  /** At most 100, in order. */
  points: readonly BarPoint[];
  /** Height of the plot in pixels. Default 180. */
  height?: number;
  /** `spark` has neither axis nor grid, for a small chart on a card. */
  look?: "plot" | "spark";
  tone?: "calm" | "critical";
  /** Name of `value`, such as `rows`, which is `row` for one. With parts, names of `value` and `part`: `started`, `converted`. */
  valueName?: string;
  partName?: string;
  /** Title of the table's first column. Default Date. */
  keyTitle?: string;
  /** Message if there is nothing to draw. */
  emptyMessage?: string;
}

/** A bar chart. Users read the values with the pointer, or in a table that they can open. */
export function BarChart(props: BarChartProps) {
  const { label, points, height = 180, look = "plot", tone = "calm" } = props;
  const { valueName = "", partName, keyTitle = "Date", emptyMessage = "No data for this period." } = props;
  const total = points.reduce((sum, { value }) => sum + value, 0);
  if (total === 0)
    return (
      <Center mih={height} bd="1px dashed var(--xp-line)" bdrs="md">
        <Text c="dimmed" fz="sm" ta="center">
          {emptyMessage}
        </Text>
      </Center>
    );

  const nameOf = (value: number) => valueName && ` ${value === 1 ? valueName.replace(/s$/, "") : valueName}`;
  const readValues = ({ value, part }: BarPoint) =>
    `${formatNumber(value)}${nameOf(value)}${part === undefined ? "" : `, ${formatNumber(part)} ${partName}`}`;

  return (
    <Box component="figure" m={0} miw={0}>
      <Box role="img" aria-label={describeChart(label, points, total)} h={height} style={{ overflow: "hidden" }}>
        <BarPlot {...{ points, look, tone, height, readValues }} />
      </Box>
      <Box component="details" mt={6} fz="xs" c="dimmed">
        <Box component="summary" w="fit-content">
          Values<VisuallyHidden> of {label}</VisuallyHidden>
        </Box>
        <ValueTable {...{ label, points, keyTitle, valueName, partName }} />
      </Box>
    </Box>
  );
}

function ValueTable(
  props: Pick<BarChartProps, "label" | "points" | "partName"> & Required<Pick<BarChartProps, "keyTitle" | "valueName">>,
) {
  const { label, points, keyTitle, valueName, partName } = props;
  return (
    // It scrolls, and a keyboard must reach it.
    <Paper
      withBorder
      mt={6}
      mah={224}
      role="region"
      aria-label={`Values of ${label}`}
      tabIndex={0}
      style={{ overflow: "auto" }}
    >
      <Table aria-label={label} stickyHeader verticalSpacing={4} fz="xs" tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{keyTitle}</Table.Th>
            <Table.Th scope="col" ta="right">
              {capitalize(valueName || "value")}
            </Table.Th>
            {partName && (
              <Table.Th scope="col" ta="right">
                {capitalize(partName)}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.map(({ key, label: at, value, part }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {at}
              </Table.Th>
              <Table.Td ta="right">{formatNumber(value)}</Table.Td>
              {partName && <Table.Td ta="right">{formatNumber(part ?? 0)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function describeChart(label: string, points: readonly BarPoint[], total: number): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return label;
  const most = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  const range = first === last ? first.label : `${first.label} to ${last.label}`;
  return `${label}, ${range}: ${formatNumber(total)} in total, highest ${formatNumber(most.value)} (${most.label}).`;
}

const capitalize = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
