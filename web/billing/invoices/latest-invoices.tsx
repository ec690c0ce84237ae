import { Button } from "@mantine/core";
import { Link } from "react-router-dom";
import { useTaxInvoicesQuery } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { InvoiceDetails } from "./invoice-details.tsx";
import { TaxInvoicesTable } from "./tax-invoices-table.tsx";

/** Most invoices shown on Billing. The page Invoices lists all. */
const MAX_INVOICES = 3;

/** Shows the customer's latest invoices and the details on future ones. */
export function LatestInvoices() {
  const { data, error, refetch } = useTaxInvoicesQuery();
  return (
    <>
      <Section
        title="Latest invoices"
        actions={
          <Button component={Link} to={paths.taxInvoices.href()} variant="default" size="sm">
            {paths.taxInvoices.name}
          </Button>
        }
      >
        <TaxInvoicesTable
          invoices={data?.taxInvoices.slice(0, MAX_INVOICES)}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          toolsFrom={MAX_INVOICES + 1}
        />
      </Section>
      {data && <InvoiceDetails details={data.me} />}
    </>
  );
}
