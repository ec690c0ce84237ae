import { Badge, type MantineColor } from "@mantine/core";
import { bulkStates, formatRowState } from "#schema/bulk-run.ts";
import { findLabel } from "#schema/closed-list.ts";
import type { BulkRowState, BulkRunState } from "#web/generated/graphql.ts";

const runColors: Record<BulkRunState, MantineColor> = {
  CHECKING: "marigold",
  REFUSED: "red",
  READY: "marigold",
  RUNNING: "marigold",
  DONE: "spruce",
  CANCELLED: "gray",
};

const rowColors: Record<BulkRowState, MantineColor> = { PLANNED: "gray", FAULTY: "red", DONE: "spruce", FAILED: "red" };

/** A run's state and its number of failed rows. */
interface RunState {
  readonly state: BulkRunState;
  readonly failed: number;
}

const hasFailures = ({ state, failed }: RunState) => state === "DONE" && failed > 0;

/** Returns the label of a run's state, with a note of failed rows. */
export function formatRunState(run: RunState): string {
  return hasFailures(run) ? "Done with failures" : findLabel(bulkStates, run.state);
}

export function RunBadge({ run }: { run: RunState }) {
  return <Badge color={hasFailures(run) ? "marigold" : runColors[run.state]}>{formatRunState(run)}</Badge>;
}

export function RowBadge({ state, run }: { state: BulkRowState; run: BulkRunState }) {
  return <Badge color={rowColors[state]}>{formatRowState(state, run)}</Badge>;
}
