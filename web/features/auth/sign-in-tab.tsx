import { ClearTwoStepButton } from "#web/features/two-step/clear-two-step-button.tsx";
import { UserSessionsPanel } from "./user-sessions-panel.tsx";

/** How a user signs in: where they are signed in now, and the way out for somebody who lost their second step. */
export function SignInTab({ userId }: { userId: string }) {
  return <UserSessionsPanel userId={userId} action={<ClearTwoStepButton userId={userId} />} />;
}
