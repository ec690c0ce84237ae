import { SubscriptionsTable, subscriptionFilterParams } from "./subscriptions-table.tsx";
import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page with all subscriptions and what is overdue. */
export default function SubscriptionsPage() {
  return (
    <PageLayout title={paths.subscriptions.title} lead="Plans, renewals and overdue payments of all customers.">
      <DefaultView list="subscriptions" filters={subscriptionFilterParams}>
        {(view) => <SubscriptionsTable view={view} />}
      </DefaultView>
    </PageLayout>
  );
}
