import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { EndpointsTable } from "#web/webhooks/endpoints/endpoints-table.tsx";
import { WebhooksHelp } from "#web/webhooks/endpoints/webhooks-help.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where the person's own software is told what happens; for customers and admins alike. */
export default function WebhooksPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  return (
    <PageLayout
      title="Webhooks"
      lead={
        isAdmin
          ? "We tell your own software what happens to the licences, subscriptions and invoices of every customer."
          : "We tell your own software what happens to your licences, subscription and invoices."
      }
      back={isAdmin ? { to: paths.admin.href(), label: "Admin" } : { to: paths.myAccount.href(), label: "My Account" }}
    >
      <EndpointsTable />
      <WebhooksHelp />
    </PageLayout>
  );
}
