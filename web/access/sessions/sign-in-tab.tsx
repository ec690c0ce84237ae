import { ClearTwoStepButton } from "#web/access/two-step/clear-two-step-button.tsx";
import { UserTokensPanel } from "#web/access/personal-access-tokens/user-tokens-panel.tsx";
import { UserSessionsPanel } from "./user-sessions-panel.tsx";

/** How a user signs in: where they are signed in now, with which tokens their programs ask, and the way out for somebody who lost their second step. */
export function SignInTab({ userId }: { userId: string }) {
  return (
    <>
      <UserSessionsPanel userId={userId} action={<ClearTwoStepButton userId={userId} />} />
      <UserTokensPanel userId={userId} />
    </>
  );
}
