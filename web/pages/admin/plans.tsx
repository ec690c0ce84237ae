import { PlansPage } from "#web/billing/prices/plans-page.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page with the plans and their prices. */
export default function PlansPageRoute() {
  return (
    <PageLayout
      title={paths.plans.title}
      lead="Prices are without GST. A new price applies to new subscriptions. Subscribers keep theirs until you move them."
    >
      <PlansPage />
    </PageLayout>
  );
}
