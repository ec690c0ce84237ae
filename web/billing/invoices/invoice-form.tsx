import { ActionIcon, Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useWatch } from "react-hook-form";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { getCalendarDay } from "#schema/days.ts";
import { formatDate, isDay } from "#schema/dates.ts";
import { DUE_DAYS, MAX_INVOICE_LINES } from "#schema/manual-invoice.ts";
import { manualInvoiceFormRules, type ManualInvoiceFormValues } from "#schema/manual-invoice-form.ts";
import { UnitField } from "#web/billing/promo-codes/unit-field.tsx";
import { DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FieldGroup, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { emptyLine, NEW_LICENCE, suggestDays, suggestTerms, type toFormValues } from "./invoice-form-values.ts";
import type { InvoicedCustomer } from "./invoice-summary.tsx";

interface InvoiceFormProps {
  customer: InvoicedCustomer;
  values: ReturnType<typeof toFormValues>;
  onContinue: (values: ManualInvoiceFormValues) => void;
  onCancel: () => void;
}

/** The details of an invoice: lines, due date, purchase order number and licence. */
export function InvoiceForm({ customer, values, onContinue, onCancel }: InvoiceFormProps) {
  // The rules convert the fields' text to numbers.
  const form = useAppForm(manualInvoiceFormRules, { defaultValues: values as never });
  const { control, setValue, getValues } = form;
  // `useFieldArray` would add 1.5 kB to every page with a form.
  const [lineCount, setLineCount] = useState(values.lines.length);
  function changeLines(lines: ManualInvoiceFormValues["lines"], focused: number) {
    flushSync(() => {
      setValue("lines", lines, { shouldDirty: true });
      setLineCount(lines.length);
    });
    form.setFocus(`lines.${focused}.description`);
  }
  function removeLine(index: number) {
    changeLines(getValues("lines").toSpliced(index, 1), Math.max(0, index - 1));
    // The messages belong to other lines now.
    if (form.formState.errors.lines) void form.trigger("lines");
  }
  const licence = useWatch({ control, name: "licence" });
  const until = useWatch({ control, name: "until" }) ?? "";
  const [today] = useState(() => getCalendarDay(new Date()));
  const suggested = useRef({ licence: values.licence, days: suggestDays(customer, values.licence, values.until) });
  // Another choice of licence replaces the terms and days of service with the suggested ones. The first one came with its own.
  // Another end replaces the days that were suggested.
  useEffect(() => {
    const { licence: before, days: old } = suggested.current;
    const isOther = licence !== before;
    const terms = suggestTerms(customer, licence);
    const end = isOther ? terms.until : until;
    if (!isDay(end)) return;
    const days = suggestDays(customer, licence, end);
    suggested.current = { licence, days };
    if (isOther) for (const [name, value] of Object.entries(terms)) setValue(name as "until", value);
    for (const [index, line] of getValues("lines").entries()) {
      if (!isOther && !(line.firstDay === (old?.firstDay ?? "") && line.lastDay === (old?.lastDay ?? ""))) continue;
      setValue(`lines.${index}.firstDay`, days?.firstDay ?? "");
      setValue(`lines.${index}.lastDay`, days?.lastDay ?? "");
    }
  }, [licence, until, customer, setValue, getValues]);

  return (
    <AppForm form={form} onSubmit={onContinue} fallback="Unable to check the invoice." label="Invoice">
      {Array.from({ length: lineCount }, (_, index) => (
        <Group key={index} role="group" aria-label={`Line ${index + 1}`} align="flex-start" gap="sm" wrap="nowrap">
          <Stack gap="1.25rem" flex={1} miw={0}>
            <FieldColumns shares={[4, 1, 2]}>
              <TextField
                control={control}
                name={`lines.${index}.description`}
                label="Description"
                autoComplete="off"
                maxLength={200}
                focusFirst={index === 0}
              />
              <TextField
                control={control}
                name={`lines.${index}.quantity`}
                label="Quantity"
                inputMode="numeric"
                autoComplete="off"
              />
              <UnitField control={control} name={`lines.${index}.unitPrice`} label="Unit price" unit="AUD" />
            </FieldColumns>
            <FieldColumns>
              <DateField control={control} name={`lines.${index}.firstDay`} label="First day of service" optional />
              <DateField control={control} name={`lines.${index}.lastDay`} label="Last day of service" optional />
            </FieldColumns>
          </Stack>
          {lineCount > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              mt="1.6rem"
              aria-label={`Remove line ${index + 1}`}
              onClick={() => removeLine(index)}
            >
              <IconTrash size={18} stroke={1.8} aria-hidden="true" />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        disabled={lineCount >= MAX_INVOICE_LINES}
        onClick={() =>
          changeLines([...getValues("lines"), { ...emptyLine, ...suggested.current.days } as never], lineCount)
        }
      >
        Add line
      </Button>
      <Text size="sm" c="dimmed">
        Prices are without GST. A line is earned evenly over the days of its service, or when the invoice is issued if
        it has none. Without a due date, the invoice is due {DUE_DAYS} days after issue.
      </Text>
      <FieldColumns>
        <DateField control={control} name="dueDay" label="Due date" optional min={today} />
        <TextField
          control={control}
          name="purchaseOrder"
          label="PO number"
          optional
          autoComplete="off"
          maxLength={100}
        />
      </FieldColumns>
      <SelectField
        control={control}
        name="licence"
        label="Licence when paid"
        optional
        placeholder="No licence"
        options={[
          { value: NEW_LICENCE, label: "A new licence" },
          ...customer.licences
            .filter(({ status }) => status !== "REVOKED")
            .map(({ id, supportCode, productLevel, expiresAt }) => ({
              value: id,
              label: `Extend ${supportCode}: ${findLabel(productLevels, productLevel)}, until ${formatDate(expiresAt)}`,
            })),
        ]}
      />
      {licence !== "" && (
        <FieldGroup title={licence === NEW_LICENCE ? "New licence" : "Extended licence"}>
          <FieldColumns>
            <SelectField control={control} name="productLevel" label="Product level" options={productLevels} />
            <DateField control={control} name="until" label="Valid until" min={today} />
          </FieldColumns>
          <FieldColumns>
            <TextField control={control} name="numberOfUsers" label="Seats" inputMode="numeric" autoComplete="off" />
            <TextField
              control={control}
              name="numberOfMachines"
              label="Machines"
              inputMode="numeric"
              autoComplete="off"
            />
          </FieldColumns>
        </FieldGroup>
      )}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton>Continue</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
