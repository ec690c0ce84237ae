import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { Sessions } from "#web/access/sessions/sessions.tsx";
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
