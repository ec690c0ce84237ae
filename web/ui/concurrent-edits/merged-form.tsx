import { createContext, type ReactNode, use } from "react";
import type { ErrorReason } from "#schema/error-codes.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorReason } from "#web/platform/server-error.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { MergedForm } from "./use-merged-edits.ts";

/** Chooses whose values the form keeps for contested fields. */
export type Settle = MergedForm<unknown>["settle"];

type Merged = Pick<MergedForm<unknown>, "concurrentEdits" | "settle">;

const MergedContext = createContext<Merged>({ concurrentEdits: null, settle: () => {} });

// Rarely needed, so loaded on demand.
const ConcurrentEditNote = lazyPart(
  async () => ({ default: (await import("./conflicts.tsx")).ConcurrentEditNote }),
  "message",
  null,
);
const ContestedChoices = lazyPart(
  async () => ({ default: (await import("./conflicts.tsx")).ContestedChoices }),
  "message",
  null,
);

/** Wraps the fields of a form that {@link sendMerged} submits, and shows conflicts. */
export function MergedFields(props: {
  merged: Merged;
  /** Name of the record, such as `user`. */
  noun: string;
  children: ReactNode;
}) {
  const { merged, noun, children } = props;
  const { concurrentEdits, settle } = merged;
  return (
    <MergedContext value={merged}>
      {concurrentEdits && <ConcurrentEditNote noun={noun} edits={concurrentEdits} onSettle={settle} />}
      {children}
    </MergedContext>
  );
}

/** Shows both values of contested fields, below the fields. */
export function ContestedFieldChoices({ names }: { names: readonly string[] }) {
  const { concurrentEdits, settle } = use(MergedContext);
  const contested = concurrentEdits?.contested ?? {};
  if (!names.some((name) => contested[name])) return null;
  return <ContestedChoices names={names} contested={contested} onSettle={settle} />;
}

/**
 * Submits a form unless a contested field needs a choice. If another user has saved the record in the meantime, merges both.
 * @returns whether it was saved
 */
export async function sendMerged(
  { concurrentEdits, merge }: Pick<MergedForm<unknown>, "concurrentEdits" | "merge">,
  save: () => Promise<void>,
): Promise<boolean> {
  if (Object.keys(concurrentEdits?.contested ?? {}).length > 0) {
    notify.error("Please choose a value for each field that you both changed, and submit again.");
    return false;
  }
  try {
    await save();
    return true;
  } catch (error) {
    if (getErrorReason(error) !== ("STALE_REVISION" satisfies ErrorReason)) throw error;
    await merge();
    return false;
  }
}
