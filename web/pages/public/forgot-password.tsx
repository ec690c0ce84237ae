import { ForgotPasswordForm } from "#web/access/accounts/forgot-password-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page on which users request a link to reset their password. */
export default function ForgotPasswordPage() {
  return (
    <PageLayout title="Forgot Password" lead="We'll email you a link to choose a new password." width="narrow" card>
      <ForgotPasswordForm />
    </PageLayout>
  );
}
