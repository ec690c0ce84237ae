import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { EndpointsTable } from "./endpoints-table.tsx";
import { WebhooksHelp } from "./webhooks-help.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page of the user's webhook endpoints, for customers and admins. */
export default function WebhooksPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  return (
    <PageLayout
      title={paths.webhooks.title}
      lead={
        isAdmin
          ? "Send events about every customer's licences, subscriptions and invoices to your own software."
          : "Send events about your licences, subscription and invoices to your own software."
      }
      back={{ to: paths.developers.href(), label: "Developers" }}
    >
      <EndpointsTable />
      <WebhooksHelp />
    </PageLayout>
  );
}
