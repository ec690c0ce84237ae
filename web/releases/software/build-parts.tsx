import { ActionIcon, Badge, Code, Group, type MantineColor } from "@mantine/core";
import type { SoftwareBuildState } from "#web/generated/graphql.ts";
import { IconCopy } from "@tabler/icons-react";
import { copyText } from "#web/ui/copy-button.tsx";

const states: Record<SoftwareBuildState, { label: string; color: MantineColor }> = {
  UPLOADED: { label: "Draft", color: "marigold" },
  OFFERED: { label: "Offered", color: "spruce" },
  PUBLISHED: { label: "Published", color: "gray" },
  WITHDRAWN: { label: "Withdrawn", color: "red" },
};

export const labelState = (state: SoftwareBuildState): string => states[state].label;

export function BuildBadge({ state }: { state: SoftwareBuildState }) {
  const { label, color } = states[state];
  return <Badge color={color}>{label}</Badge>;
}

/** Shortened SHA-256 of a file, with a button to copy it in full. */
export function Checksum({ sha256, of }: { sha256: string; of: string }) {
  return (
    <Group component="span" display="inline-flex" gap={4} wrap="nowrap">
      <Code title={sha256}>{sha256.slice(0, 12)}…</Code>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Copy SHA-256 of ${of}`}
        onClick={() => void copyText(sha256, "SHA-256 has been copied to clipboard.")}
      >
        <IconCopy size={16} stroke={1.8} aria-hidden="true" />
      </ActionIcon>
    </Group>
  );
}
