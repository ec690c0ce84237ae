import { Group, Stack, Text } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { formatAud } from "#schema/money.ts";
import { DownloadMenu, fileFormats } from "#web/billing/tax/download-menu.tsx";
import { type InvoicesQuery, useInvoicesQuery } from "#web/generated/graphql.ts";
import { SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { allInvoiceColumns, invoiceSortColumns } from "./invoice-columns.tsx";
import { InvoiceFilters, invoiceFilterParams, readInvoiceFilter, toInvoiceFilter } from "./invoice-filters.tsx";
import { useInvoiceActions } from "./use-invoice-actions.tsx";
import { vendorTimeName } from "#schema/days.ts";
import { DefaultView } from "#web/ui/lists/default-view.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Lists all drafts, tax invoices and adjustment notes, with filters in the URL and exact sums. `view` has the parameters of the default view. */
export function AllInvoices({ view }: { view: URLSearchParams | null }) {
  const list = useUrlList({ rememberAs: "invoices", filters: invoiceFilterParams, open: () => view });
  const choice = readInvoiceFilter(list.params);
  const remote = useRemoteList(list, { queryKey: JSON.stringify(choice) });
  const { search } = remote;
  const { sort } = list.place;
  const filter = { ...toInvoiceFilter(choice), ...(search ? { search } : {}) };
  const { data, previousData, error, refetch } = useInvoicesQuery({
    variables: {
      filter,
      order: { by: (sort && invoiceSortColumns[sort.id]) ?? "DATE", descending: sort?.desc ?? true },
      ...remote.page,
    },
    fetchPolicy: "cache-and-network",
  });
  const download = useReportDownload();
  const canExport = useStaffRole("finance");
  const page = (data ?? previousData)?.invoices;
  const reload = () => void refetch().catch(() => undefined);
  const actions = useInvoiceActions(reload);

  return (
    <Stack gap="lg">
      {/* A changed URL, for example after going back, fills the form again. */}
      <InvoiceFilters
        key={JSON.stringify(choice)}
        choice={choice}
        onApply={(applied) => {
          const next = new URLSearchParams(list.params);
          for (const [name, value] of Object.entries(applied)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          list.apply(next);
        }}
      />
      <DataTable
        name="Invoices"
        columns={allInvoiceColumns}
        rows={page?.rows}
        rowId={({ id }) => id}
        rowLabel={({ number, customerName }) => number ?? `draft for ${customerName}`}
        dense
        remote={remote.toTableList(page)}
        actions={actions}
        busy={data ? undefined : previousData && "Loading invoices"}
        notice={page && <InvoiceTotals {...page} />}
        toolbar={
          <>
            <SavedViews name="invoices" list={list} />
            {canExport && (
              <DownloadMenu
                label="Export these rows"
                choices={fileFormats}
                onChoose={(format) =>
                  download.start("Exporting the invoices", "/v1/reports/download-invoices", { ...filter, format })
                }
              />
            )}
          </>
        }
        emptyMessage={list.isFiltered ? "No invoices match these filters." : "No invoices."}
        error={data ? undefined : error}
        failure="Unable to load the invoices."
        onRetry={reload}
      />
      <ReportProgress download={download} />
    </Stack>
  );
}

function InvoiceTotals({ total, sums }: Pick<InvoicesQuery["invoices"], "total" | "sums">) {
  const { totalCents, gstCents, balanceCents } = sums;
  return (
    <Group component="section" aria-label="Totals" style={{ gap: "0.25rem 2rem" }}>
      <Total label={total === 1 ? "document" : "documents"} value={formatNumber(total)} />
      <Total label="total incl. GST" value={formatAud(totalCents)} />
      <Total label="GST" value={formatAud(gstCents)} />
      <Total label="still to be paid" value={formatAud(balanceCents)} />
    </Group>
  );
}

function Total({ label, value }: { label: string; value: string }) {
  return (
    <Text span>
      <Text span fw={650} inherit>
        {value}
      </Text>{" "}
      <Text span c="dimmed" inherit>
        {label}
      </Text>
    </Text>
  );
}

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
