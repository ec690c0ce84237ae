import { Paper, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatAud } from "#schema/money.ts";

/** The card or plan that a form replaces. */
export function CurrentChoice({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Paper withBorder px="lg" py="md" bg="var(--xp-sunken)">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Stack gap={2}>{children}</Stack>
    </Paper>
  );
}

/** The amount that a confirmed payment will charge. */
export function ChargedAmount({ cents }: { cents: number }) {
  return (
    <Text fz="1.75rem" fw={640} lh={1.3} c="var(--xp-ink)" mb="xs">
      {formatAud(cents)}
    </Text>
  );
}
