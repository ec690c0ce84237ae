import { useParams } from "react-router-dom";
import { EmailConfirmationPanel } from "#web/features/accounts/email-confirmation-panel.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Waits with a new registration for the confirmation of its address. */
export default function EmailConfirmationPage() {
  const { userId = "" } = useParams();
  return (
    <PageLayout title="Email Confirmation" width="narrow" card>
      <EmailConfirmationPanel key={userId} handle={userId} />
    </PageLayout>
  );
}
