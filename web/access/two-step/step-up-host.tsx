import { Suspense, useSyncExternalStore } from "react";
import { proofRequest } from "#web/platform/step-up.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";

const StepUpDialog = lazyDialog<{ opened: boolean }>(
  async () => (await import("./step-up-dialog.tsx")).default,
  ({ opened }) => opened,
);

/** Opens the dialog when an operation needs a proof of identity. Each signed-in page has one, in its frame. */
export function StepUpHost() {
  const isOpen = useSyncExternalStore(proofRequest.subscribe, proofRequest.isOpen, () => false);
  return (
    <Suspense fallback={null}>
      <StepUpDialog opened={isOpen} />
    </Suspense>
  );
}
