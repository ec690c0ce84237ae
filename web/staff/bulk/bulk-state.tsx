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

/** A run's state and its number of failed rows. */
interface RunState {
  readonly state: string;
  readonly failed: number;
}

const hasFailures = ({ state, failed }: RunState) => state === "done" && failed > 0;

/** Returns the label of a run's state, or the state itself if it has no label. */
export function formatRunState(run: RunState): string {
  return hasFailures(run) ? "Done with failures" : (runs[run.state as BulkState]?.label ?? run.state);
}

/** Returns the label of a row's state. Planned rows of a cancelled run are labelled as not processed. */
export function formatRowState(state: string, run: string): string {
  if (state === "planned" && run === "cancelled") return "Not processed";
  return rows[state as BulkRowState]?.label ?? state;
}

export function RunBadge({ run }: { run: RunState }) {
  return (
    <Badge color={hasFailures(run) ? "marigold" : runs[run.state as BulkState]?.color}>{formatRunState(run)}</Badge>
  );
}

export function RowBadge({ state, run }: { state: string; run: string }) {
  return <Badge color={rows[state as BulkRowState]?.color}>{formatRowState(state, run)}</Badge>;
}
