import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { PromoCodesTable } from "./promo-codes-table.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page on which staff add, change and delete promo codes. */
export default function ManagePromoCodesPage() {
  return (
    <PageLayout title={paths.managePromoCodes.title} lead="Discounts on the first invoice of a subscription.">
      <DefaultView list="promo-codes">{(view) => <PromoCodesTable view={view} />}</DefaultView>
    </PageLayout>
  );
}
