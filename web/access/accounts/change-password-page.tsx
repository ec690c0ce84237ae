import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { ChangePasswordForm } from "./change-password-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for changing the password, for customers and admins. */
export default function ChangePasswordPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  const home = isAdmin
    ? { to: paths.admin.href(), label: "Admin" }
    : { to: paths.myAccount.href(), label: "My Account" };
  return (
    <PageLayout title={paths.changePassword.title} back={home} width="narrow" card>
      <ChangePasswordForm home={home} />
    </PageLayout>
  );
}
