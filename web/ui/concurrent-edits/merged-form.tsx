import type { ReactNode } from "react";
import type { ErrorReason } from "#schema/error-codes.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorReason } from "#web/platform/server-error.ts";
import { ContestedContext } from "./contested.tsx";
import type { MergedForm } from "./use-merged-edits.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Rarely needed, so loaded on demand. */
const ConcurrentEditNote = lazyPart(() => import("./concurrent-edit-note.tsx"), "message", null);

/** Wraps the fields of a form that {@link sendMerged} submits, and shows conflicts. */
export function MergedFields(props: {
  merged: Pick<MergedForm<unknown>, "concurrentEdits" | "settle">;
  /** Name of the record, such as `user`. */
  noun: string;
  children: ReactNode;
}) {
  const { merged, noun, children } = props;
  const { concurrentEdits, settle } = merged;
  return (
    <ContestedContext
      value={concurrentEdits && { fields: concurrentEdits.contested, settle: (name, whose) => settle([name], whose) }}
    >
      {concurrentEdits && (
        <ConcurrentEditNote
          noun={noun}
          edits={concurrentEdits}
          onSettle={(whose) => settle(Object.keys(concurrentEdits.contested), whose)}
        />
      )}
      {children}
    </ContestedContext>
  );
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
