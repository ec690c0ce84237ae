import { Badge, type BadgeTone } from "#web/ui/badge.tsx";
import type { BulkRowState, BulkState } from "#schema/bulk.ts";

const runs: Record<BulkState, { label: string; tone: BadgeTone }> = {
  checking: { label: "Checking", tone: "notice" },
  refused: { label: "Rejected", tone: "critical" },
  ready: { label: "Ready to start", tone: "notice" },
  running: { label: "Running", tone: "notice" },
  done: { label: "Done", tone: "calm" },
  cancelled: { label: "Cancelled", tone: "quiet" },
};

const rows: Record<BulkRowState, { label: string; tone: BadgeTone }> = {
  planned: { label: "Planned", tone: "quiet" },
  faulty: { label: "Skipped", tone: "critical" },
  done: { label: "Done", tone: "calm" },
  failed: { label: "Failed", tone: "critical" },
};

/** Returns the label of a run's state, or the state itself if it has no label. */
export const formatRunState = (state: string): string => runs[state as BulkState]?.label ?? state;

/** Returns the label of a row's state. Planned rows of a cancelled run are labelled as not processed. */
export function formatRowState(state: string, run: string): string {
  if (state === "planned" && run === "cancelled") return "Not processed";
  return rows[state as BulkRowState]?.label ?? state;
}

export function RunBadge({ state }: { state: string }) {
  return <Badge tone={runs[state as BulkState]?.tone}>{formatRunState(state)}</Badge>;
}

export function RowBadge({ state, run }: { state: string; run: string }) {
  return <Badge tone={rows[state as BulkRowState]?.tone}>{formatRowState(state, run)}</Badge>;
}
