import { Text } from "@mantine/core";
import { useState } from "react";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { quoteRules } from "#schema/manual-invoice.ts";
import type { InvoiceDialogProps } from "#web/billing/invoices/void-dialog.tsx";
import { useQuotedDraftQuery, useSendQuoteMutation } from "#web/generated/graphql.ts";
import { AppDialog } from "#web/ui/confirm-dialog.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Days that a quote is valid unless staff choose another date. */
const VALID_DAYS = 30;

/** Dialog for sending a draft as a quote. */
export default function SendQuoteDialog({ invoice, onDone, ...dialog }: InvoiceDialogProps) {
  const id = invoice.manualInvoiceId ?? "";
  const [today] = useState(() => getCalendarDay(new Date()));
  const query = useQuotedDraftQuery({ variables: { id }, fetchPolicy: "network-only" });
  const [sendQuote] = useSendQuoteMutation();
  const form = useAppForm(quoteRules, { defaultValues: { validUntil: addDays(today, VALID_DAYS) } });
  const draft = query.data?.manualInvoice;
  if (!draft)
    return (
      <AppDialog {...dialog} title="Send quote">
        <Loaded query={query} failure="Unable to load the draft." loading="Loading the draft" />
      </AppDialog>
    );
  const current = draft.quotes.find(({ withdrawnAt }) => withdrawnAt === null);

  return (
    <FormDialog
      {...dialog}
      title="Send quote"
      submit="Send quote"
      form={form}
      onSubmit={({ validUntil }) => sendQuote({ variables: { invoiceId: id, revision: draft.revision, validUntil } })}
      success={(_values, { data }) => `Quote ${data?.sendQuote.number} has been emailed.`}
      onDone={onDone}
      fallback="Unable to send the quote."
      label="Quote"
    >
      <Text>
        The draft over {formatAud(draft.totalCents)} is emailed to {invoice.customerName} as a PDF, with a link that
        accepts it. Accepting it issues the invoice.
      </Text>
      {current && (
        <Text>
          Quote {current.number}, sent on <Moment at={current.createdAt} as={formatSellerDate} />, is replaced. Its link
          stops working.
        </Text>
      )}
      <DateField control={form.control} name="validUntil" label="Valid until" min={today} />
    </FormDialog>
  );
}
