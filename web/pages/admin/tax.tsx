import { vendorTimeName } from "#schema/days.ts";
import { TaxPage } from "#web/billing/tax/tax-page.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page with the GST summary for the business activity statement. */
export default function TaxPageRoute() {
  return (
    <PageLayout
      title={paths.tax.title}
      lead={`GST for the business activity statement, revenue and cash. Select a figure to see its rows. Days are in ${vendorTimeName}.`}
    >
      <TaxPage />
    </PageLayout>
  );
}
