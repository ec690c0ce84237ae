import { Badge, Flex, Group, Stack, Text, ThemeIcon, Timeline, Title } from "@mantine/core";
import { IconCheck, IconSquareRotatedFilled, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formatTime, formatWeekday } from "#schema/dates.ts";
import { Moment } from "#web/ui/moment.tsx";

interface Entry {
  id: string;
  /** Time in ISO 8601 format. */
  at: string;
}

const marks = {
  granted: <Mark color="spruce" icon={<IconCheck size={15} stroke={2.2} />} />,
  refused: <Mark color="red" icon={<IconX size={15} stroke={2.2} />} />,
  // A milestone, as in a schedule.
  change: <Mark color="marigold" icon={<IconSquareRotatedFilled size={13} />} />,
};

/** Kind of an entry, which determines its marker. */
export type Tone = keyof typeof marks;

/** Groups entries by day, newest first, each with its time and a marker. `children` renders the rest of an entry. */
export function DayTimeline<TEntry extends Entry>(props: {
  entries: readonly TEntry[];
  toneOf: (entry: TEntry) => Tone;
  /** Level of the day headings: 2 directly below the page title, 3 inside a titled section. */
  headingLevel: 2 | 3;
  children: (entry: TEntry) => ReactNode;
}) {
  const { entries, toneOf, headingLevel, children } = props;
  return (
    <Stack gap="lg">
      {groupByDay(entries).map(([day, happened]) => (
        <Flex key={day} component="section" aria-label={day} wrap="wrap" gap="sm">
          <Title order={headingLevel} flex="1 0 16rem" size="h4" lh="1.625rem">
            {day}
          </Title>
          {/* Mantine takes the distance of the entries from the spacing `xl`. */}
          <Timeline
            role="list"
            flex="999 1 24rem"
            miw={0}
            bulletSize={26}
            lineWidth={2}
            style={{ "--mantine-spacing-xl": "1.25rem" }}
          >
            {happened.map((entry) => (
              <Timeline.Item
                key={entry.id}
                role="listitem"
                bullet={marks[toneOf(entry)]}
                style={{ "--item-border-color": "var(--xp-line)" }}
              >
                {/* On phones the time moves above the rest of the entry. */}
                <Flex wrap="wrap-reverse" justify="space-between" align="flex-end" gap="0 1.5rem">
                  <Stack gap={2} flex="1 1 16rem" miw={0} maw="46rem" data-break="anywhere">
                    {children(entry)}
                  </Stack>
                  <Text span size="sm" c="dimmed" lh="1.625rem">
                    <Moment at={entry.at} as={formatTime} />
                  </Text>
                </Flex>
              </Timeline.Item>
            ))}
          </Timeline>
        </Flex>
      ))}
    </Stack>
  );
}

/** The first line of an entry: what happened. */
export function EntryTitle({ isRefused = false, children }: { isRefused?: boolean; children: ReactNode }) {
  return (
    <Group gap="0 0.625rem">
      {children}
      {isRefused && (
        <Badge color="red" size="md" fz="0.75rem">
          Refused
        </Badge>
      )}
    </Group>
  );
}

function Mark({ color, icon }: { color: string; icon: ReactNode }) {
  return (
    <ThemeIcon size={26} radius="xl" variant="light" color={color} aria-hidden>
      {icon}
    </ThemeIcon>
  );
}

function groupByDay<TEntry extends Entry>(entries: readonly TEntry[]): [day: string, entries: TEntry[]][] {
  const days = new Map<string, TEntry[]>();
  for (const entry of entries) {
    const day = formatWeekday(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}
