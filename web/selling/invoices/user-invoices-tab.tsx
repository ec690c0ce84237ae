import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { type UserInvoicesQuery, useUserInvoicesQuery } from "#web/generated/graphql.ts";
import { formatError } from "#web/platform/server-error.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { DownloadInvoice, invoiceColumns } from "./tax-invoices-table.tsx";
import classes from "./user-invoices-tab.module.css";

type UserInvoice = UserInvoicesQuery["user"]["invoices"][number];

/** Table of a customer's invoices and adjustment notes for staff. `?invoice=ID` shows one of them above the list. */
export function UserInvoicesTab({ userId }: { userId: string }) {
  const { data, error, refetch } = useUserInvoicesQuery({ variables: { userId } });
  const [search] = useSearchParams();
  const invoices = data?.user.invoices;
  const opened = invoices?.find(({ id }) => id === search.get("invoice"));
  return (
    <>
      {opened && <OpenedInvoice key={opened.id} invoice={opened} />}
      <DataTable
        name="Invoices"
        columns={invoiceColumns}
        rows={invoices}
        rowId={({ id }) => id}
        pageSize={10}
        action={(invoice) => (
          <DownloadInvoice invoice={invoice} path="/v1/admin/taxInvoice">
            Download PDF
          </DownloadInvoice>
        )}
        emptyMessage="No invoices."
        error={error && !invoices ? formatError(error, "Unable to load the invoices.") : undefined}
        onRetry={() => void refetch().catch(() => undefined)}
      />
    </>
  );
}

function OpenedInvoice({ invoice }: { invoice: UserInvoice }) {
  const title = `${invoice.kind === "adjustment" ? "Adjustment note" : "Tax invoice"} ${invoice.number}`;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={classes.opened} aria-labelledby="opened-invoice">
      <div className={classes.head}>
        <h2 ref={heading} id="opened-invoice" tabIndex={-1}>
          {title}
        </h2>
        <DownloadInvoice invoice={invoice} path="/v1/admin/taxInvoice">
          Download PDF
        </DownloadInvoice>
      </div>
      <p>{invoice.description}</p>
      <dl className={classes.facts}>
        <Fact name="Issued" value={formatDate(invoice.issuedAt, brand.timeZone)} />
        <Fact name={getPaidLabel(invoice)} value={formatPaidDate(invoice)} />
        <Fact name="GST" value={formatAud(invoice.gstCents)} />
        <Fact name="Total" value={formatAud(invoice.totalCents)} />
      </dl>
    </section>
  );
}

const getPaidLabel = ({ kind }: UserInvoice) => (kind === "adjustment" ? "Refunded" : "Paid");

const formatPaidDate = ({ paidAt }: UserInvoice) => (paidAt ? formatDate(paidAt, brand.timeZone) : "Not yet");

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
