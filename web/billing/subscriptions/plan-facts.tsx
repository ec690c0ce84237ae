import { DataList, Paper, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatAud } from "#schema/money.ts";

/** A fact about a subscription. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <DataList.Item flex="1 1 13rem">
      <DataList.ItemLabel>{name}</DataList.ItemLabel>
      <DataList.ItemValue fz="md">
        <Stack gap={2} align="flex-start">
          {children}
        </Stack>
      </DataList.ItemValue>
    </DataList.Item>
  );
}

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
