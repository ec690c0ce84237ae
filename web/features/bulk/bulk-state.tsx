import { Badge } from "@mantine/core";
import type { BulkRowState, BulkState } from "#schema/bulk.ts";

const runs: Record<BulkState, { label: string; color: string | undefined }> = {
  checking: { label: "Being checked", color: "marigold" },
  refused: { label: "Refused", color: "red" },
  ready: { label: "Ready to start", color: "marigold" },
  running: { label: "Running", color: "marigold" },
  done: { label: "Done", color: undefined },
  cancelled: { label: "Cancelled", color: "gray" },
};

const rows: Record<BulkRowState, { label: string; color: string | undefined }> = {
  planned: { label: "Planned", color: "gray" },
  faulty: { label: "Left out", color: "red" },
  done: { label: "Done", color: undefined },
  failed: { label: "Failed", color: "red" },
};

/** The words for a run's state. */
export const wordsOfState = (state: string): string => runs[state as BulkState]?.label ?? state;

/** The words for a row's state; what was planned is not carried out once its run was cancelled. */
export function wordsOfRow(state: string, run: string): string {
  if (state === "planned" && run === "cancelled") return "Not carried out";
  return rows[state as BulkRowState]?.label ?? state;
}

/** A run's state as a badge. */
export function RunBadge({ state }: { state: string }) {
  return <StateBadge color={runs[state as BulkState]?.color}>{wordsOfState(state)}</StateBadge>;
}

/** A row's state as a badge. */
export function RowBadge({ state, run }: { state: string; run: string }) {
  return <StateBadge color={rows[state as BulkRowState]?.color}>{wordsOfRow(state, run)}</StateBadge>;
}

function StateBadge({ color, children }: { color: string | undefined; children: string }) {
  return (
    <Badge variant="light" {...(color ? { color } : {})} radius="sm" tt="none" fw={600} fz="0.75rem">
      {children}
    </Badge>
  );
}
