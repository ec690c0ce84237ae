import { paths } from "#web/platform/paths.ts";
import { PromoCodesTable } from "#web/selling/promo-codes/promo-codes-table.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where staff add, change and delete promo codes. */
export default function ManagePromoCodesPage() {
  return (
    <PageLayout
      title="Manage Promo Codes"
      lead="Words that take something off the first invoice of a subscription."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <PromoCodesTable />
    </PageLayout>
  );
}
