import { Text } from "@mantine/core";
import { useState } from "react";
import { createRequestKey } from "#web/billing/request-key.ts";
import { useSendInvoiceAgainMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { useLastValue } from "#web/platform/use-last-value.ts";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import type { InvoiceDialogProps } from "./discard-dialog.tsx";

/** Confirmation dialog for emailing an invoice or adjustment note again. */
export function SendAgainDialog(props: InvoiceDialogProps) {
  const [key, setKey] = useState(createRequestKey);
  const [sendInvoiceAgain] = useSendInvoiceAgainMutation();
  const invoice = useLastValue(props.invoice);

  async function send() {
    notify.clearErrors();
    try {
      await sendInvoiceAgain({ variables: { taxInvoiceId: invoice?.taxInvoiceId ?? "", key } });
      notify.success(`${invoice?.number} has been sent again.`);
      setKey(createRequestKey());
    } catch (error) {
      notify.failure(error, "Unable to send the document.");
    }
    props.onClose();
    props.onDone();
  }

  return (
    <ConfirmDialog
      opened={props.invoice !== null}
      title={`Send ${invoice?.number ?? ""} again`}
      confirmLabel="Send again"
      onConfirm={send}
      onCancel={props.onClose}
    >
      <Text>The document is emailed to {invoice?.customerName} with the PDF. It stays as it was issued.</Text>
    </ConfirmDialog>
  );
}
