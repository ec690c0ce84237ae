import { ForgotPasswordForm } from "#web/access/accounts/forgot-password-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where a forgotten password begins to be replaced. */
export default function ForgotPasswordPage() {
  return (
    <PageLayout
      title="Forgot Password"
      lead="We mail you a link with which you choose a new password."
      width="narrow"
      card
    >
      <ForgotPasswordForm />
    </PageLayout>
  );
}
