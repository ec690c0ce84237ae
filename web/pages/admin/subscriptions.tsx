import { SubscriptionsTable } from "#web/billing/subscriptions/subscriptions-table.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page with all subscriptions and what is overdue. */
export default function SubscriptionsPage() {
  return (
    <PageLayout title="Subscriptions" lead="Plans, renewals and overdue payments of all customers.">
      <SubscriptionsTable />
    </PageLayout>
  );
}
