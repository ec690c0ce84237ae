import { ForgotPasswordForm } from "./forgot-password-form.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for requesting a password reset. */
export default function ForgotPasswordPage() {
  return (
    <PageLayout
      title={paths.forgotPassword.title}
      lead="We'll email you a link to choose a new password."
      width="narrow"
      card
    >
      <ForgotPasswordForm />
    </PageLayout>
  );
}
