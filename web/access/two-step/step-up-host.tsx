import { useSyncExternalStore } from "react";
import { proofRequest } from "#web/platform/step-up.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const StepUpDialog = lazyPart(() => import("./step-up-dialog.tsx"), "notification", null);

/** Opens the dialog when an operation needs a proof of identity. Each signed-in page has one, in its frame. */
export function StepUpHost() {
  const isOpen = useSyncExternalStore(proofRequest.subscribe, proofRequest.isOpen, () => false);
  return isOpen && <StepUpDialog onMissing={() => proofRequest.settle(false)} />;
}
