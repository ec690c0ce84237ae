import { paths } from "#web/app/paths.ts";
import { useSession } from "#web/app/session.ts";
import { Sessions } from "#web/features/auth/sessions.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where the person is signed in; for customers and admins alike. */
export default function SessionsPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  return (
    <PageLayout
      title="Where You Are Signed In"
      lead="Every browser and program that can use your account now."
      back={isAdmin ? { to: paths.admin.href(), label: "Admin" } : { to: paths.myAccount.href(), label: "My Account" }}
    >
      <Sessions />
    </PageLayout>
  );
}
