import { useEffect, useSyncExternalStore } from "react";
import { keepPagesOfEndedSessions, useSession } from "#web/platform/session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { proofRequest } from "#web/platform/step-up.ts";

const SignInAgainDialog = lazyPart(() => import("#web/access/sessions/sign-in-again-dialog.tsx"), "notification", null);

/** Shows the sign-in dialog over the page while the session has ended. */
export function SignInAgain() {
  const session = useSession();
  useEffect(keepPagesOfEndedSessions, []);
  return session?.isEnded && <SignInAgainDialog session={session} />;
}

const StepUpDialog = lazyPart(() => import("#web/access/two-step/step-up-dialog.tsx"), "notification", null);

/** Opens the dialog when an operation needs a proof of identity. Each signed-in page has one, in its frame. */
export function StepUpHost() {
  const isOpen = useSyncExternalStore(proofRequest.subscribe, proofRequest.isOpen, () => false);
  return isOpen && <StepUpDialog onMissing={() => proofRequest.settle(false)} />;
}
