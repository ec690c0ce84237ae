import { ForgotPasswordForm } from "#web/access/accounts/forgot-password-form.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page for requesting a password reset. */
export default function ForgotPasswordPage() {
  return (
    <PageLayout title="Forgot Password" lead="We'll email you a link to choose a new password." width="narrow" card>
      <ForgotPasswordForm />
    </PageLayout>
  );
}
