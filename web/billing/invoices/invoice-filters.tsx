import { Button, Group, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { toCode } from "#schema/closed-list.ts";
import { invoiceStatuses } from "#schema/manual-invoice.ts";
import type { InvoicesQueryVariables } from "#web/generated/graphql.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel } from "#web/ui/lists/filter-panel.tsx";

const loadRules = () => import("#schema/manual-invoice.ts").then((file) => file.invoiceFilterFormRules);

/** Filter of the list of invoices as it is in the URL. Days are `YYYY-MM-DD` in the vendor's time zone. */
export const emptyInvoiceFilter = { status: "", from: "", to: "", customer: "" };
export type InvoiceFilterChoice = typeof emptyInvoiceFilter;

/** Names of the URL parameters of the filter. */
export const invoiceFilterParams = Object.keys(emptyInvoiceFilter);

/** Reads the filter from the URL. */
export function readInvoiceFilter(params: URLSearchParams): InvoiceFilterChoice {
  return Object.fromEntries(invoiceFilterParams.map((name) => [name, params.get(name) ?? ""])) as InvoiceFilterChoice;
}

/** Returns the filter without empty values, for the API. */
export function toInvoiceFilter({
  status,
  ...choice
}: InvoiceFilterChoice): NonNullable<InvoicesQueryVariables["filter"]> {
  return {
    ...Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== "")),
    ...(status && { status: toCode(invoiceStatuses, status) }),
  };
}

interface InvoiceFiltersProps {
  choice: InvoiceFilterChoice;
  onApply: (choice: InvoiceFilterChoice) => void;
}

/** Filters the invoices by status, issue date and customer. */
export function InvoiceFilters({ choice, onApply }: InvoiceFiltersProps) {
  const form = useAppForm(loadRules, { defaultValues: choice });
  const { control } = form;
  const [today] = useState(() => getCalendarDay(new Date()));
  return (
    <FilterPanel isNarrowed={Object.values(choice).some(Boolean)}>
      <AppForm
        form={form}
        label="Filter invoices"
        fallback="Unable to load the invoices."
        onSubmit={() => onApply(form.getValues() as InvoiceFilterChoice)}
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
            {listQuickRanges(today).map(({ label, from, to }) => (
              <Button
                key={label}
                variant={choice.from === from && choice.to === to ? "light" : "default"}
                size="compact-sm"
                aria-pressed={choice.from === from && choice.to === to}
                onClick={() => onApply({ ...(form.getValues() as InvoiceFilterChoice), from, to })}
              >
                {label}
              </Button>
            ))}
          </Group>
          <SubmitButton>Apply</SubmitButton>
        </Group>
      </AppForm>
    </FilterPanel>
  );
}

/** First month of a financial year. */
const JULY = 7;

/** Returns the ranges that the filter offers, for the current day in the vendor's time zone. */
function listQuickRanges(today: string): { label: string; from: string; to: string }[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const toStart = (months: number) => {
    const index = year * 12 + month - 1 + months;
    return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}-01`;
  };
  const build = (label: string, start: number, end: number) => ({
    label,
    from: toStart(start),
    to: addDays(toStart(end), -1),
  });
  const quarter = 0 - ((month - 1) % 3);
  const financialYear = 0 - ((month - JULY + 12) % 12);
  return [
    build("This month", 0, 1),
    build("Last month", -1, 0),
    build("This quarter", quarter, quarter + 3),
    build("Last quarter", quarter - 3, quarter),
    build("This financial year", financialYear, financialYear + 12),
    { label: "All dates", from: "", to: "" },
  ];
}
