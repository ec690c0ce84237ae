import { Anchor, Badge, Group, type MantineColor, Progress, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";

/** Severity of an entry, shown as its colour. */
export type Tone = "calm" | "notice" | "critical";

const tones: Record<Tone, { badge: MantineColor; bar: string }> = {
  calm: { badge: "spruce", bar: "var(--xp-bar)" },
  notice: { badge: "marigold", bar: "var(--xp-milestone)" },
  critical: { badge: "red", bar: "var(--xp-critical-bar)" },
};

/** One entry: a name that links to its list, its share of the total as a bar, and its value. */
export interface Share {
  key: string;
  name: string;
  /** Label after the name. */
  mark?: string;
  to?: string | undefined;
  /** Share of the total, 0 to 1. */
  share: number;
  value: string;
  /** Secondary text before the value. */
  aside?: string;
  tone?: Tone;
}

/** Shows the shares of a total as bars with their values. */
export function ShareList({ label, shares }: { label: string; shares: readonly Share[] }) {
  return (
    <Stack component="ul" gap="sm" m={0} p={0} fz="sm" aria-label={label}>
      {shares.map(({ key, name, mark, to, share, value, aside, tone = "calm" }) => (
        <Stack key={key} component="li" gap={6} display="flex">
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              {to ? (
                <Anchor component={Link} to={to} inherit>
                  {name}
                </Anchor>
              ) : (
                name
              )}{" "}
              {mark && (
                <Badge size="sm" color={tones[tone].badge}>
                  {mark}
                </Badge>
              )}
            </Group>{" "}
            <Group gap="sm">
              {aside && (
                <Text span inherit c="dimmed">
                  {aside}
                </Text>
              )}{" "}
              <Text span inherit fw={600}>
                {value}
              </Text>
            </Group>
          </Group>
          <Progress aria-hidden="true" value={Math.max(share * 100, 0.5)} color={tones[tone].bar} />
        </Stack>
      ))}
    </Stack>
  );
}
