import { paths } from "#web/platform/paths.ts";
import { CreateUserForm } from "./create-user-form.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

export default function CreateUserPage() {
  return (
    <PageLayout
      title={paths.createUser.title}
      lead="Create an account for someone else. We'll email them a link to choose a password."
      back={{ to: paths.manageUsers.href(), label: "Manage Users" }}
      width="form"
      card
    >
      <CreateUserForm />
    </PageLayout>
  );
}
