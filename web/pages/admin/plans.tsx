import { PlansPage } from "#web/billing/prices/plans-page.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page with the plans and their prices. */
export default function PlansPageRoute() {
  return (
    <PageLayout
      title="Plans"
      lead="Prices are without GST. A new price applies to new subscriptions. Subscribers keep theirs until you move them."
    >
      <PlansPage />
    </PageLayout>
  );
}
