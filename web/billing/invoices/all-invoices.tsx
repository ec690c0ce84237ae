import { Group, Stack, Text, SimpleGrid } from "@mantine/core";
import { formatNumber } from "#schema/numbers.ts";
import { formatAud } from "#schema/money.ts";
import { DownloadMenu, fileFormats } from "#web/billing/tax/download-menu.tsx";
import { type InvoicesQuery, useInvoicesQuery, type InvoicesQueryVariables } from "#web/generated/graphql.ts";
import { DefaultView, SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { allInvoiceColumns, invoiceSortColumns } from "./invoice-columns.tsx";
import { useInvoiceActions } from "./use-invoice-actions.tsx";
import { listTaxPeriods, type TaxPeriod } from "#web/billing/tax/tax-periods.ts";
import { vendorTimeName } from "#schema/days.ts";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { ToggleButton } from "#web/ui/toggle-button.tsx";
import { useState } from "react";
import { findEntry } from "#schema/closed-list.ts";
import { invoiceStatuses } from "#schema/manual-invoice.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel, readChoice, toParams } from "#web/ui/lists/filter-panel.tsx";

/** Lists all drafts, tax invoices and adjustment notes, with filters in the URL and exact sums. `view` has the parameters of the default view. */
function AllInvoices({ view }: { view: URLSearchParams | null }) {
  const list = useUrlList({ rememberAs: "invoices", filters: invoiceFilterParams, open: () => view });
  const choice = readChoice(list.params, emptyInvoiceFilter);
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
  });
  const download = useReportDownload();
  const canExport = useStaffRole("finance");
  const page = (data ?? previousData)?.invoices;
  const reload = () => void refetch().catch(() => undefined);
  const actions = useInvoiceActions(reload);

  return (
    <Stack gap="lg">
      <InvoiceFilters
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
                  // REST takes the value of a status.
                  download.start("Exporting the invoices", "/v1/reports/download-invoices", {
                    ...filter,
                    status: findEntry(invoiceStatuses, choice.status)?.value,
                    format,
                  })
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
      {download.progress}
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

const loadRules = () => import("#schema/manual-invoice.ts").then((file) => file.invoiceFilterFormRules);

/** Filter of the list of invoices as it is in the URL. Days are `YYYY-MM-DD` in the vendor's time zone. */
const emptyInvoiceFilter = { status: "", from: "", to: "", customer: "" };
type Choice = typeof emptyInvoiceFilter;

const invoiceFilterParams = Object.keys(emptyInvoiceFilter);

/** Returns the filter without empty values and an unknown status, for the API. */
function toInvoiceFilter({ status, ...choice }: Choice): Omit<InvoicesQueryVariables["filter"], "id"> {
  const code = findEntry(invoiceStatuses, status)?.code;
  return { ...toParams(choice), ...(code && { status: code }) };
}

function InvoiceFilters({ choice, onApply }: { choice: Choice; onApply: (choice: Choice) => void }) {
  const form = useAppForm(loadRules, { defaultValues: choice, followsDefaults: true });
  const { control } = form;
  const [now] = useState(() => new Date());
  return (
    <FilterPanel isNarrowed={Object.values(choice).some(Boolean)}>
      <AppForm
        form={form}
        label="Filter invoices"
        fallback="Unable to load the invoices."
        onSubmit={() => onApply(form.getValues() as Choice)}
      >
        <SimpleGrid minColWidth="min(100%, clamp(8.5rem, 15vw, 11rem))" spacing="md">
          <SelectField
            control={control}
            name="status"
            label="Status"
            optional="unsaid"
            placeholder="All"
            options={invoiceStatuses}
          />
          <TextField
            control={control}
            name="customer"
            label="Customer"
            optional="unsaid"
            placeholder="Name, email or company"
            autoComplete="off"
          />
          <DateField control={control} name="from" label="From" optional="unsaid" />
          <DateField control={control} name="to" label="To" optional="unsaid" />
        </SimpleGrid>
        <Group justify="space-between" gap="sm">
          <Group gap="xs" role="group" aria-label="Quick ranges">
            {listQuickRanges(now).map(({ label, from, to }) => (
              <ToggleButton
                key={label}
                isPressed={choice.from === from && choice.to === to}
                onClick={() => onApply({ ...(form.getValues() as Choice), from, to })}
              >
                {label}
              </ToggleButton>
            ))}
          </Group>
          <SubmitButton>Apply</SubmitButton>
        </Group>
      </AppForm>
    </FilterPanel>
  );
}

/** Returns the ranges that the filter offers, in the vendor's time zone. */
function listQuickRanges(now: Date): { label: string; from: string; to: string }[] {
  const [month, lastMonth] = listTaxPeriods("month", now);
  const [quarter, lastQuarter] = listTaxPeriods("quarter", now);
  const [financialYear] = listTaxPeriods("year", now);
  const build = (label: string, period?: TaxPeriod) => ({
    label,
    from: period?.startDate ?? "",
    to: period?.endDate ?? "",
  });
  return [
    build("This month", month),
    build("Last month", lastMonth),
    build("This quarter", quarter),
    build("Last quarter", lastQuarter),
    build("This financial year", financialYear),
    build("All dates"),
  ];
}
