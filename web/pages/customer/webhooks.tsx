import { paths } from "#web/app/paths.ts";
import { useSession } from "#web/app/session.ts";
import { EndpointsTable } from "#web/features/webhooks/endpoints-table.tsx";
import { WebhooksHelp } from "#web/features/webhooks/webhooks-help.tsx";
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
