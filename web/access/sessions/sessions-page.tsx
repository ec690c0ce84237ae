import { paths } from "#web/platform/paths.ts";
import { Sessions } from "./sessions.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for the user's sessions, for customers and admins. */
export default function SessionsPage() {
  return (
    <PageLayout
      title={paths.sessions.title}
      lead="Every browser and program that is signed in to your account."
      back={{ to: paths.security.href(), label: "Security" }}
    >
      <Sessions />
    </PageLayout>
  );
}
