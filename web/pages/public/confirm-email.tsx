import { ConfirmEmail } from "#web/features/accounts/confirm-email.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where the link of a confirmation mail leads. */
export default function ConfirmEmailPage() {
  return (
    <PageLayout title="Confirm Email" width="narrow" card>
      <ConfirmEmail />
    </PageLayout>
  );
}
