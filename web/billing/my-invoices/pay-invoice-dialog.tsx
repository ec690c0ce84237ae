import { Group, Radio, Stack, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { formatAud } from "#schema/money.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import {
  useCardEntryQuery,
  useCompleteInvoicePaymentMutation,
  usePayInvoiceMutation,
  useSavedCardQuery,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { getErrorCode, getProblems } from "#web/platform/server-error.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { blankCard, type CardEntry, type CardSource, toCardControl } from "#web/billing/card-fields/card-entry.ts";
import { CardFields, CardPaymentsOff } from "#web/billing/card-fields/card-fields.tsx";
import { formatCard } from "#web/billing/subscriptions/payment-texts.tsx";
import { PendingAuthentication } from "#web/billing/subscriptions/subscription-notices.tsx";
import { useCardPayment } from "#web/billing/subscriptions/use-card-payment.ts";
import { showCardError, takeCard } from "#web/billing/subscriptions/use-subscribe.ts";
import { AppDialog, DialogActions, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { SubmitButton } from "#web/ui/form/form-parts.tsx";
import type { MyInvoice } from "./open-invoices.tsx";

const loadRules = () => import("#schema/subscription.ts").then((file) => file.paymentDetailsFormRules);

const FALLBACK = "Unable to take the payment.";
const UNCONFIRMED = "We couldn't confirm your payment. Press Pay again. You will not be charged twice.";

type Payable = Pick<MyInvoice, "number" | "balanceCents" | "manualInvoiceId">;

interface PayInvoiceDialogProps extends DialogControl {
  invoice: Payable;
  onPaid: () => void;
}

/** Pays an invoice by card: with the saved card, or with another one. */
export default function PayInvoiceDialog({ invoice, onPaid, ...dialog }: PayInvoiceDialogProps) {
  const card = useCardEntryQuery({ context: { staysOnPage: true } });
  const saved = useSavedCardQuery({ fetchPolicy: "network-only", context: { staysOnPage: true } });
  const entry = card.data?.cardEntry;
  const query = {
    data: entry && saved.data && { entry, saved: saved.data.savedCard ?? null },
    error: card.error ?? saved.error,
    refetch: () => Promise.all([card.refetch(), saved.refetch()]),
  };
  return (
    <AppDialog {...dialog} title={`Pay invoice ${invoice.number}`}>
      {entry?.kind === "OFF" ? (
        <CardPaymentsOff invoice={invoice.number} />
      ) : (
        <Loaded query={query} failure="Unable to load the form." loading="Loading the form">
          {(loaded) => <PayForm invoice={invoice} onPaid={onPaid} onClose={dialog.onClose} {...loaded} />}
        </Loaded>
      )}
    </AppDialog>
  );
}

interface PayFormProps extends Omit<PayInvoiceDialogProps, "opened"> {
  entry: CardSource;
  saved: { brand: string; last4: string } | null;
}

function PayForm({ invoice, entry, saved, onPaid, onClose }: PayFormProps) {
  const card = useRef<CardEntry>(null);
  const [usesSaved, setUsesSaved] = useState(saved !== null);
  const [isPaying, setPaying] = useState(false);
  // The same for each try of the same request, so that the card is charged once.
  const key = useRef(createRequestKey());
  const [pay] = usePayInvoiceMutation();
  const [complete] = useCompleteInvoicePaymentMutation();
  const form = useAppForm(loadRules, { defaultValues: blankCard });
  const amount = formatAud(invoice.balanceCents);

  const fail = (error: unknown) => {
    if (getProblems(error).length === 0) return notify.error(UNCONFIRMED);
    const code = getErrorCode(error);
    // After these, the same request continues the payment. A new one would be refused while the first is open.
    if (code !== "UNAVAILABLE" && code !== "INTERNAL") key.current = createRequestKey();
    notify.failure(error, FALLBACK);
  };

  const payment = useCardPayment({
    card,
    fallback: FALLBACK,
    complete: async (id) => (await complete({ variables: { id } })).data?.completeInvoicePayment,
    onDone: (message) => {
      if (message) notify.error(message);
      notify.success(`Thank you. Your payment of ${amount} has been received.`);
      onPaid();
      onClose();
    },
    onDeclined: (message) => {
      key.current = createRequestKey();
      if (usesSaved) notify.error(message);
      else showCardError(form, "cardNumber", message);
    },
    onFailed: fail,
  });

  /** Starts a new payment with another card. The API would charge the first card again for the same key. */
  function startNewPayment() {
    key.current = createRequestKey();
    payment.cancel();
  }

  async function send(paymentMethodId: string | null) {
    const { manualInvoiceId, balanceCents: expectedBalanceCents } = invoice;
    const input = { invoiceId: manualInvoiceId ?? "", paymentMethodId, expectedBalanceCents, key: key.current };
    try {
      const { data } = await pay({ variables: { input } });
      if (data) await payment.settle(data.payInvoice);
    } catch (error) {
      fail(error);
    }
  }

  async function payWithNewCard() {
    payment.cancel();
    notify.clearErrors();
    const paymentMethodId = await takeCard(form, card);
    if (paymentMethodId) await send(paymentMethodId);
  }

  /** Keeps the dialog open meanwhile: the card would be charged after it closed. */
  async function payInDialog(pay: () => Promise<unknown>) {
    setPaying(true);
    await pay().finally(() => setPaying(false));
  }

  const actions = (submit: React.ReactNode) => (
    <DialogActions>
      <Button variant="default" onClick={onClose} disabled={isPaying || payment.busy}>
        Cancel
      </Button>
      {submit}
    </DialogActions>
  );

  return (
    <Stack gap="md">
      <Text>
        {amount} is charged to your card now. We email you a receipt, and a licence on the invoice is valid as soon as
        the payment is complete.
      </Text>
      {saved && (
        <Radio.Group
          label="Card"
          value={usesSaved ? "saved" : "other"}
          onChange={(value) => {
            startNewPayment();
            setUsesSaved(value === "saved");
          }}
        >
          <Group gap="lg" mt="xs">
            <Radio value="saved" disabled={isPaying} label={formatCard(saved.brand, saved.last4)} />
            <Radio value="other" disabled={isPaying} label="Another card" />
          </Group>
        </Radio.Group>
      )}
      <AppForm form={form} onSubmit={() => payInDialog(payWithNewCard)} fallback={FALLBACK} label="Card payment">
        <Stack gap="md" display={usesSaved ? "none" : undefined}>
          <CardFields ref={card} source={entry} control={toCardControl(form.control)} onEdit={startNewPayment} />
        </Stack>
        <PendingAuthentication
          payment={payment}
          onAnotherCard={() => {
            key.current = createRequestKey();
            // The pressed button disappears.
            flushSync(() => setUsesSaved(false));
            form.setFocus("cardNumber");
          }}
        />
        {(!payment.waiting || payment.busy) &&
          actions(
            usesSaved ? (
              <BusyButton onPress={() => payInDialog(() => send(null))}>Pay {amount}</BusyButton>
            ) : (
              <SubmitButton>Pay {amount}</SubmitButton>
            ),
          )}
      </AppForm>
    </Stack>
  );
}
