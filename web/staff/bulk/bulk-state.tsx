import { Badge, type MantineColor } from "@mantine/core";
import type { BulkRowState, BulkState } from "#schema/bulk.ts";

const runs: Record<BulkState, { label: string; color: MantineColor }> = {
  checking: { label: "Checking", color: "marigold" },
  refused: { label: "Rejected", color: "red" },
  ready: { label: "Ready to start", color: "marigold" },
  running: { label: "Running", color: "marigold" },
  done: { label: "Done", color: "spruce" },
  cancelled: { label: "Cancelled", color: "gray" },
};

const rows: Record<BulkRowState, { label: string; color: MantineColor }> = {
  planned: { label: "Planned", color: "gray" },
  faulty: { label: "Skipped", color: "red" },
  done: { label: "Done", color: "spruce" },
  failed: { label: "Failed", color: "red" },
};

/** Returns the label of a run's state, or the state itself if it has no label. */
export const formatRunState = (state: string): string => runs[state as BulkState]?.label ?? state;

/** Returns the label of a row's state. Planned rows of a cancelled run are labelled as not processed. */
export function formatRowState(state: string, run: string): string {
  if (state === "planned" && run === "cancelled") return "Not processed";
  return rows[state as BulkRowState]?.label ?? state;
}

export function RunBadge({ state, failed }: { state: string; failed: number }) {
  const hasFailures = state === "done" && failed > 0;
  return (
    <Badge color={hasFailures ? "marigold" : runs[state as BulkState]?.color}>
      {hasFailures ? "Done with failures" : formatRunState(state)}
    </Badge>
  );
}

export function RowBadge({ state, run }: { state: string; run: string }) {
  return <Badge color={rows[state as BulkRowState]?.color}>{formatRowState(state, run)}</Badge>;
}
