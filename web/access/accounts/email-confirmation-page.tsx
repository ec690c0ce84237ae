import { useParams } from "react-router-dom";
import { unconfirmed } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { EmailConfirmationPanel } from "./email-confirmation-panel.tsx";
import { SignOutAfterEmailChange } from "./sign-out-after-email-change.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page shown until a new registration or a changed address is confirmed. */
export default function EmailConfirmationPage() {
  const { userId = "" } = useParams();
  return (
    <SignOutAfterEmailChange>
      <Guard access={unconfirmed}>
        <PageLayout title={paths.emailConfirmation.title} width="narrow" card>
          <EmailConfirmationPanel key={userId} handle={userId} />
        </PageLayout>
      </Guard>
    </SignOutAfterEmailChange>
  );
}
