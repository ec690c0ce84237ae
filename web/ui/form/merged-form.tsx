import { type ReactNode, Suspense } from "react";
import type { ErrorReason } from "#schema/error-codes.ts";
import { notify } from "#web/platform/notifications.ts";
import { reasonOf } from "#web/platform/server-error.ts";
import { ContestedContext } from "./contested.tsx";
import type { MergedForm } from "./use-merged-edits.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Rarely needed, so loaded on demand. */
const MeanwhileNote = lazyPart(() => import("./meanwhile-note.tsx"), "message");

/** Wraps the fields of a form that {@link sendMerged} submits, and shows conflicts. */
export function MergedFields(props: {
  merged: Pick<MergedForm<unknown>, "meanwhile" | "settle">;
  /** Name of the record, such as `user`. */
  noun: string;
  children: ReactNode;
}) {
  const { merged, noun, children } = props;
  const { meanwhile, settle } = merged;
  return (
    <ContestedContext
      value={meanwhile && { fields: meanwhile.contested, settle: (name, whose) => settle([name], whose) }}
    >
      {meanwhile && (
        <Suspense fallback={null}>
          <MeanwhileNote
            noun={noun}
            meanwhile={meanwhile}
            onSettle={(whose) => settle(Object.keys(meanwhile.contested), whose)}
          />
        </Suspense>
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
  { meanwhile, bringTogether }: Pick<MergedForm<unknown>, "meanwhile" | "bringTogether">,
  save: () => Promise<void>,
): Promise<boolean> {
  if (Object.keys(meanwhile?.contested ?? {}).length > 0) {
    notify.error("Please choose a value for each field that you both changed, and submit again.");
    return false;
  }
  try {
    await save();
    return true;
  } catch (error) {
    if (reasonOf(error) !== ("STALE_REVISION" satisfies ErrorReason)) throw error;
    await bringTogether();
    return false;
  }
}
