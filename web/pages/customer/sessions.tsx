import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { Sessions } from "#web/access/sessions/sessions.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page for the user's sessions, for customers and admins. */
export default function SessionsPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  return (
    <PageLayout
      title="Active sessions"
      lead="Every browser and program that is signed in to your account."
      back={isAdmin ? { to: paths.admin.href(), label: "Admin" } : { to: paths.myAccount.href(), label: "My Account" }}
    >
      <Sessions />
    </PageLayout>
  );
}
