import { paths } from "#web/platform/paths.ts";
import { CreateUserForm } from "#web/staff/users/create-user-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Staff create an account for somebody. */
export default function CreateUserPage() {
  return (
    <PageLayout
      title="Create User"
      lead="For somebody who does not register themselves. They are told by mail."
      back={{ to: paths.manageUsers.href(), label: "Manage Users" }}
      width="form"
      card
    >
      <CreateUserForm />
    </PageLayout>
  );
}
