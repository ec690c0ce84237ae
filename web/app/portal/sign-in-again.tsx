import { useEffect } from "react";
import { keepPagesOfEndedSessions, type Session, useSession } from "#web/platform/session.ts";
import { lazyDialog } from "#web/ui/lazy-part.tsx";

const SignInAgainDialog = lazyDialog(
  async () => (await import("#web/access/sessions/sign-in-again-dialog.tsx")).SignInAgainDialog,
  ({ session }: { session: Session | null }) => session !== null,
);

/** Shows the sign-in dialog over the page while the session has ended. */
export function SignInAgain() {
  const session = useSession();
  useEffect(keepPagesOfEndedSessions, []);
  return <SignInAgainDialog session={session?.isEnded ? session : null} />;
}
