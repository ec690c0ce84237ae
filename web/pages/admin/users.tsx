import { paths } from "#web/app/paths.ts";
import { UsersTable } from "#web/features/accounts/users-table.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { LinkButton } from "#web/ui/button.tsx";

/** The admin's first page: everybody who has an account. */
export default function UsersPage() {
  return (
    <PageLayout
      title="Admin"
      lead="Everybody who has an account, newest first, with their licences and devices."
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
      <UsersTable />
    </PageLayout>
  );
}
