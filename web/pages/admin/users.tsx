import { paths } from "#web/app/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { LinkButton } from "#web/ui/button.tsx";

/** The admin's first page. */
export default function UsersPage() {
  return (
    <PageLayout
      title="Admin"
      actions={
        <>
          <LinkButton variant="default" to={paths.changePassword.href()}>
            Change Password
          </LinkButton>
          <LinkButton variant="default" to={paths.twoStepSignIn.href()}>
            Two-Step Sign-In
          </LinkButton>
        </>
      }
    >
      <LinkButton to={paths.manageUsers.href()}>Manage Users</LinkButton>
    </PageLayout>
  );
}
