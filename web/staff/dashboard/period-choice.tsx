import { SegmentedControl } from "@mantine/core";
import { dashboardPeriods } from "#schema/dashboard.ts";
import { formatPeriod } from "./dashboard-texts.ts";

/** Returns the comparison text for values at a point in time, such as `compared with 30 days ago`. */
export const formatSinceStart = (days: number) => `compared with ${formatPeriod(days).replace("last ", "")} ago`;

/** Returns the comparison text for values over a period, such as `compared with the previous 30 days`. */
export const formatSincePrevious = (days: number) =>
  `compared with the ${formatPeriod(days).replace("last ", "previous ")}`;

/** Returns the title of the column that names a chart's bars: days, or weeks for longer periods. */
export const getBarTitle = (days: number) => (days <= 31 ? "Day" : "Week from");

export function PeriodChoice({ days, onChoose }: { days: number; onChoose: (days: number) => void }) {
  return (
    <SegmentedControl
      aria-label="Period"
      value={String(days)}
      onChange={(value) => onChoose(Number(value))}
      data={dashboardPeriods.map(({ value, label }) => ({ value: String(value), label }))}
    />
  );
}
