import { Badge } from "@mantine/core";
import type { SoftwareBuildState } from "#web/generated/graphql.ts";

const states: Record<SoftwareBuildState, { label: string; color: string | undefined }> = {
  UPLOADED: { label: "Draft", color: "marigold" },
  OFFERED: { label: "Offered", color: undefined },
  PUBLISHED: { label: "Published", color: "gray" },
  WITHDRAWN: { label: "Withdrawn", color: "red" },
};

/** The words for where a build is on its way. */
export const wordsOfState = (state: SoftwareBuildState): string => states[state].label;

/** Where a build is on its way, as a badge. */
export function BuildBadge({ state }: { state: SoftwareBuildState }) {
  const { label, color } = states[state];
  return (
    <Badge variant="light" {...(color ? { color } : {})} radius="sm" tt="none" fw={600} fz="0.75rem">
      {label}
    </Badge>
  );
}
