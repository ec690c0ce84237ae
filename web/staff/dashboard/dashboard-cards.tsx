import {
  Grid,
  Group,
  Paper,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
  VisuallyHidden,
  SegmentedControl,
} from "@mantine/core";
import type { ReactNode } from "react";
import { type DashboardListName, dashboardPeriods } from "#schema/dashboard.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatNumber } from "#schema/numbers.ts";
import { Callout } from "#web/ui/callout.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { buildListHref, formatPeriod } from "./dashboard-texts.ts";
import { compareFigure, Figure } from "./figure.tsx";

const spans = { wide: 12, two: 8, half: 6, one: 4 };

/** Lays out cards next to each other where the width allows. The previous figures are dimmed while new ones load. */
export function Cards({ children, busy }: { children: ReactNode; busy: boolean }) {
  return (
    <Grid gap="md" aria-busy={busy || undefined} opacity={busy ? 0.6 : 1}>
      {children}
    </Grid>
  );
}

/** Says that older events aren't counted yet. Renders nothing otherwise. */
export function CountingNotice({ behindSince }: { behindSince: string | null }) {
  return (
    behindSince && (
      <Callout tone="notice">
        Activity since <Moment at={behindSince} as={formatSellerDate} /> is still being counted. Licence requests and
        versions are incomplete until then.
      </Callout>
    )
  );
}

/** Shows a section of the dashboard. `wide` takes a whole row, `two` two thirds, `half` a half and `one` a third. */
export function Card(props: { title: string; width: keyof typeof spans; aside?: ReactNode; children: ReactNode }) {
  const { title, width, aside, children } = props;
  return (
    <Grid.Col span={{ base: 12, lg: spans[width] }}>
      <Paper component="section" withBorder radius="lg" shadow="sm" p="lg" h="100%">
        <Stack gap="lg">
          <Group component="header" justify="space-between" align="baseline" gap="xs">
            <Title order={2} size="h3">
              {title}
            </Title>
            {aside && (
              <Text c="dimmed" fz="sm">
                {aside}
              </Text>
            )}
          </Group>
          {children}
        </Stack>
      </Paper>
    </Grid.Col>
  );
}

interface CountProps {
  name: string;
  count: { value: number; before: number };
  list: DashboardListName | "activity";
  days: number;
  good: "up" | "down" | null;
  hint?: string | undefined;
}

/** Shows a count over a period that links to its list, with the change from the previous period. */
export function Count({ name, count, list, days, good, hint }: CountProps) {
  return (
    <Figure
      name={name}
      value={formatNumber(count.value)}
      to={buildListHref(list, days)}
      change={compareFigure(count, formatSincePrevious(days), good)}
      hint={hint}
    />
  );
}

/** Lays out the figures of a card next to each other. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid minColWidth="8rem" autoFlow="auto-fit" spacing="md">
      {children}
    </SimpleGrid>
  );
}

/** Shows placeholders of the same size while the cards load, so that the layout doesn't shift. */
export function CardSkeletons() {
  return (
    <>
      <VisuallyHidden component="progress" aria-label="Loading the dashboard" />
      {(["two", "one", "half", "half", "wide", "wide"] as const).map((width, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the placeholders are never reordered
        <Grid.Col key={index} span={{ base: 12, lg: spans[width] }} aria-hidden="true">
          <Paper withBorder radius="lg" shadow="sm" p="lg">
            <Stack gap="lg">
              <Skeleton w="7rem" h="1rem" />
              <Skeleton w="11rem" h="2.25rem" />
              <Skeleton h="8.5rem" />
            </Stack>
          </Paper>
        </Grid.Col>
      ))}
    </>
  );
}

/** Returns the comparison text for values at a point in time, such as `compared with 30 days ago`. */
export const formatSinceStart = (days: number) => `compared with ${formatPeriod(days).replace("last ", "")} ago`;

/** Returns the comparison text for values over a period, such as `compared with the previous 30 days`. */
const formatSincePrevious = (days: number) => `compared with the ${formatPeriod(days).replace("last ", "previous ")}`;

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
