import { useEffect } from "react";
import { keepPagesOfEndedSessions, useSession } from "#web/platform/session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const SignInAgainDialog = lazyPart(() => import("#web/access/sessions/sign-in-again-dialog.tsx"), "notification", null);

/** Shows the sign-in dialog over the page while the session has ended. */
export function SignInAgain() {
  const session = useSession();
  useEffect(keepPagesOfEndedSessions, []);
  return session?.isEnded && <SignInAgainDialog session={session} />;
}
