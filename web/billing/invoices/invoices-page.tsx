import { vendorTimeName } from "#schema/days.ts";
import { AllInvoices } from "./all-invoices.tsx";
import { invoiceFilterParams } from "./invoice-filters.tsx";
import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page with all invoices and adjustment notes. */
export default function InvoicesPage() {
  return (
    <PageLayout
      title={paths.adminInvoices.title}
      lead={`All invoices and adjustment notes. Write an invoice on the Billing tab of its customer. Days are in ${vendorTimeName}.`}
    >
      <DefaultView list="invoices" filters={invoiceFilterParams}>
        {(view) => <AllInvoices view={view} />}
      </DefaultView>
    </PageLayout>
  );
}
