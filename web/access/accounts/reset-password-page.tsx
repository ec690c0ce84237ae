import { ResetPassword } from "./reset-password.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page opened by the link in a reset email. */
export default function ResetPasswordPage() {
  return (
    <PageLayout title={paths.resetPassword.title} width="narrow" card>
      <ResetPassword />
    </PageLayout>
  );
}
