import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { quoteRules } from "#schema/manual-invoice.ts";
import type { InvoiceDialogProps } from "#web/billing/invoices/discard-dialog.tsx";
import { useQuotedDraftQuery, useSendQuoteMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError } from "#web/platform/server-error.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Days that a quote is valid unless staff choose another date. */
const VALID_DAYS = 30;

/** Dialog for sending a draft as a quote. */
export function SendQuoteDialog(props: InvoiceDialogProps) {
  const invoice = useLastValue(props.invoice);
  return (
    <AppDialog opened={props.invoice !== null} title="Send quote" onClose={props.onClose}>
      {invoice && <SendQuoteForm {...props} invoice={invoice} />}
    </AppDialog>
  );
}

function SendQuoteForm({
  invoice,
  onClose,
  onDone,
}: InvoiceDialogProps & { invoice: NonNullable<InvoiceDialogProps["invoice"]> }) {
  const id = invoice.manualInvoiceId ?? "";
  const [today] = useState(() => getCalendarDay(new Date()));
  const { data, error } = useQuotedDraftQuery({ variables: { id }, fetchPolicy: "network-only" });
  const [sendQuote] = useSendQuoteMutation();
  const form = useAppForm(quoteRules, { defaultValues: { validUntil: addDays(today, VALID_DAYS) } });
  const draft = data?.manualInvoice;
  if (error) return <ErrorState message={formatError(error, "Unable to load the draft.")} />;
  if (!draft) return <LoadingBlock label="Loading the draft" />;
  const current = draft.quotes.find(({ withdrawnAt }) => withdrawnAt === null);

  async function send({ validUntil }: { validUntil: string }) {
    const sent = await sendQuote({ variables: { invoiceId: id, revision: draft?.revision ?? 0, validUntil } });
    notify.success(`Quote ${sent.data?.sendQuote.number} has been emailed.`);
    onClose();
    onDone();
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to send the quote." label="Quote">
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
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton>Send quote</SubmitButton>
      </DialogActions>
    </AppForm>
  );
}
