import { BarChart } from "@mantine/charts";
import { Paper, Text } from "@mantine/core";
import "@mantine/charts/styles.layer.css";
import { formatNumber } from "#schema/numbers.ts";
import type { BarChartProps, BarPoint } from "./bar-chart.tsx";

export interface BarPlotProps extends Pick<BarChartProps, "points" | "look" | "tone"> {
  height: number;
  /** Returns the names and values that the tooltip shows for a bar. */
  readValues: (point: BarPoint) => string;
}

/** Smallest height of a bar in pixels, so that small values stay visible. */
const SMALLEST_BAR = 2;

/** Draws the bars. In a separate file, because the chart library is large and loads only where a chart is shown. */
export default function BarPlot(props: BarPlotProps) {
  const { points, look, tone, height, readValues } = props;
  const isPlot = look !== "spark";
  const colour = tone === "critical" ? "var(--xp-critical-bar)" : "var(--xp-bar)";
  const byKey = new Map(points.map((point) => [point.key, point]));
  const hasParts = points.some(({ part }) => part !== undefined);
  const formatKey = (key: string) => byKey.get(key)?.short ?? byKey.get(key)?.label ?? "";
  return (
    <BarChart
      h={height}
      type="stacked"
      dataKey="key"
      data={points.map(({ key, value, part }) => ({
        key,
        part: part ?? value, // A bar without height would still have an outline.
        rest: value - (part ?? value) || undefined,
      }))}
      series={[{ name: "part", color: colour }, ...(hasParts ? [{ name: "rest", color: "var(--xp-bar-soft)" }] : [])]}
      maxBarWidth={44}
      // The light fill needs an outline to be visible.
      barProps={({ name }) =>
        name === "part" ? { minPointSize: (value) => (value ? SMALLEST_BAR : 0) } : { stroke: colour, strokeOpacity: 1 }
      }
      accessibilityLayer={false}
      gridAxis={isPlot ? "x" : "none"}
      gridColor="var(--xp-line)"
      textColor="var(--xp-muted)"
      strokeDasharray="0"
      tickLine="none"
      withXAxis={isPlot}
      withYAxis={isPlot}
      xAxisProps={{ tickFormatter: formatKey, minTickGap: 28 }}
      yAxisProps={{ width: "auto", allowDecimals: false, tickCount: 3 }}
      valueFormatter={(value) => formatNumber(value)}
      barChartProps={{ margin: { top: 8, right: 0, bottom: 0, left: isPlot ? 10 : 0 }, barCategoryGap: "22%" }}
      tooltipProps={{
        content: ({ label }) => {
          const point = byKey.get(String(label));
          return (
            point && (
              <Paper withBorder shadow="md" px="xs" py={4} bg="var(--xp-raised)" fz="xs">
                <Text span inherit c="dimmed">
                  {point.label}
                </Text>{" "}
                <Text span inherit fw={600}>
                  {readValues(point)}
                </Text>
              </Paper>
            )
          );
        },
      }}
      referenceLines={isPlot ? [] : [{ y: 0, color: "var(--xp-line-strong)" }]}
    />
  );
}
