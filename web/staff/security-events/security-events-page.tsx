import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { SecurityEvents } from "./security-events.tsx";

export default function SecurityEventsPage() {
  return (
    <PageLayout
      title={paths.securityEvents.title}
      lead="Sign-ins, refused requests, role changes and exports of the last 400 days. Events can’t be edited."
    >
      <SecurityEvents />
    </PageLayout>
  );
}
