import { paths } from "#web/platform/paths.ts";
import { ChangeSubscription } from "./change-subscription.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for changing the subscription level. */
export default function ChangeSubscriptionPage() {
  return (
    <PageLayout
      title={paths.changeSubscription.title}
      back={{ to: paths.manageSubscription.href(), label: "Billing" }}
      width="split"
    >
      <ChangeSubscription />
    </PageLayout>
  );
}
