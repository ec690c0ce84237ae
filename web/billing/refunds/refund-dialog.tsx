import { Checkbox, Radio, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { formatAud, parseCents } from "#schema/money.ts";
import { formatCount } from "#schema/numbers.ts";
import { type RefundLicence, useRefundInvoiceMutation, useRefundPreviewQuery } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError, getFieldErrors } from "#web/platform/server-error.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { MoneyDialog } from "#web/billing/money-dialog.tsx";
import { describeRefund } from "#web/billing/refunds/describe-refund.ts";

/** Largest integer of the API. */
const MAX_CENTS = 2 ** 31 - 1;

/** Parses a typed amount to cents; null if it isn't one, or is too large for the API. */
function parseAmount(text: string): number | null {
  const cents = parseCents(text);
  return cents !== null && cents <= MAX_CENTS ? cents : null;
}

const licenceLabels: readonly (readonly [RefundLicence, string])[] = [
  ["KEEP", "Keep the licence"],
  ["END_NOW", "End the licence now"],
  ["END_AT_PERIOD_END", "End the licence at the end of the period"],
];

interface RefundDialogProps extends DialogControl {
  invoice: { id: string; number: string };
  onDone: () => void;
}

/** Refunds a paid invoice, in full or in part, after showing the effects. */
export default function RefundDialog({ invoice, onDone, ...dialog }: RefundDialogProps) {
  const [amount, setAmount] = useState<string | null>(null);
  const [unusedTime, setUnusedTime] = useState(false);
  const [licence, setLicence] = useState<RefundLicence | null>(null);
  const [refund] = useRefundInvoiceMutation();
  const typed = amount === null || unusedTime ? null : parseAmount(amount);
  const [amountCents] = useDebouncedValue(typed, 250);
  const { data, previousData, error, refetch } = useRefundPreviewQuery({
    variables: { invoiceId: invoice.id, amountCents: unusedTime ? null : amountCents, licence, unusedTime },
    fetchPolicy: "no-cache",
    context: { staysOnPage: true },
  });
  const isCurrent = (unusedTime || amountCents === typed) && data !== undefined;
  const preview = data?.refundPreview ?? previousData?.refundPreview;
  const box = useRef<HTMLInputElement>(null);
  const isSuggested = preview !== undefined && amount === null;
  // The suggestion arrives after the focus. It is selected, so that typing replaces it.
  useEffect(() => {
    if (isSuggested && document.activeElement === box.current) box.current?.select();
  }, [isSuggested]);
  const fieldError = getFieldErrors(error).amountCents?.[0];
  const amountError =
    amount !== null && typed === null && !unusedTime
      ? "Enter an amount in dollars, such as 49.95."
      : (fieldError ?? null);

  async function send({ reason, key }: { reason: string; key: string }) {
    if (!preview) return;
    const { amountCents: shownCents, remainingCents } = preview;
    const input = { invoiceId: invoice.id, amountCents: shownCents, unusedTime, remainingCents, licence, reason, key };
    const sent = await refund({ variables: { input } });
    notify.success(
      sent.data?.refundInvoice.status === "PENDING"
        ? "The payment provider hasn't confirmed the refund yet. We try again until it does."
        : `${formatAud(preview.amountCents)} refunded.`,
    );
  }

  return (
    <MoneyDialog
      {...dialog}
      title={`Refund invoice ${invoice.number}`}
      confirmLabel={preview ? `Refund ${formatAud(typed ?? preview.amountCents)}` : "Refund"}
      danger
      reasonHint="For the audit log. Customers get it in their data export."
      effects={
        isCurrent && amountError === null ? describeRefund(data.refundPreview, invoice.number, unusedTime) : undefined
      }
      refusal={amountError === null && error ? formatError(error, "Unable to calculate the refund.") : undefined}
      onTried={onDone}
      reload={refetch}
      onConfirm={send}
    >
      {preview?.unused && (
        <Checkbox
          label="Refund unused time"
          description={`${formatCount(preview.unused.daysUsed, "day")} used, ${preview.unused.daysLeft} left: ${formatAud(preview.unused.amountCents)}`}
          checked={unusedTime}
          onChange={(event) => {
            setUnusedTime(event.currentTarget.checked);
            // The suggestion for the licence depends on it.
            setLicence(null);
          }}
        />
      )}
      <TextInput
        ref={box}
        label="Amount"
        description={preview ? `In A$ including GST. ${formatAud(preview.remainingCents)} can be refunded.` : "In A$"}
        inputMode="decimal"
        required
        data-autofocus
        disabled={unusedTime}
        value={(unusedTime ? null : amount) ?? (preview ? (preview.amountCents / 100).toFixed(2) : "")}
        error={amountError}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      {preview && preview.licenceChoices.length > 1 && (
        <Radio.Group
          label="Licence"
          value={licence ?? preview.suggestedLicence}
          onChange={(value) => setLicence(value as RefundLicence)}
        >
          <Stack gap="xs" mt="xs">
            {licenceLabels
              .filter(([value]) => preview.licenceChoices.includes(value))
              .map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
          </Stack>
        </Radio.Group>
      )}
    </MoneyDialog>
  );
}
