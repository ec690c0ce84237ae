import { ClearTwoStepButton } from "#web/access/two-step/clear-two-step-button.tsx";
import { UserTokensPanel } from "#web/access/personal-access-tokens/user-tokens-panel.tsx";
import { UserSessionsPanel } from "./user-sessions-panel.tsx";

/** Sign-in tab of a user: sessions, personal access tokens, and the button that clears two-step sign-in. */
export function SignInTab({ userId }: { userId: string }) {
  return (
    <>
      <UserSessionsPanel userId={userId} action={<ClearTwoStepButton userId={userId} />} />
      <UserTokensPanel userId={userId} />
    </>
  );
}
