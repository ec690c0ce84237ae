import type { SoftwareBuildState } from "#web/generated/graphql.ts";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";

const states: Record<SoftwareBuildState, { label: string; tone: BadgeTone }> = {
  UPLOADED: { label: "Draft", tone: "notice" },
  OFFERED: { label: "Offered", tone: "calm" },
  PUBLISHED: { label: "Published", tone: "quiet" },
  WITHDRAWN: { label: "Withdrawn", tone: "critical" },
};

/** The words for where a build is on its way. */
export const wordsOfState = (state: SoftwareBuildState): string => states[state].label;

/** Where a build is on its way, as a badge. */
export function BuildBadge({ state }: { state: SoftwareBuildState }) {
  const { label, tone } = states[state];
  return <Badge tone={tone}>{label}</Badge>;
}
