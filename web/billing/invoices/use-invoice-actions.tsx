import {
  IconBan,
  IconCash,
  IconDownload,
  IconMail,
  IconPencil,
  IconReceiptRefund,
  IconReplace,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { downloadPdf } from "./download-invoice.tsx";
import { type ComponentType, useRef } from "react";
import { formatAud } from "#schema/money.ts";
import { createRequestKey } from "#web/billing/request-key.ts";
import {
  type InvoiceRowFragment,
  useDiscardInvoiceMutation,
  useSendInvoiceAgainMutation,
} from "#web/generated/graphql.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import type { InvoiceDialogProps } from "./void-dialog.tsx";

/** Downloads the PDF of a customer's invoice or adjustment note. */
export function downloadInvoice({ taxInvoiceId }: InvoiceRowFragment): Promise<void> {
  const path = `/v1/admin/taxInvoice/${taxInvoiceId}/download`;
  return downloadPdf({ path, failure: "Unable to download the invoice." });
}

/** Returns the actions of an invoice that staff may use. */
export function useInvoiceActions(onDone: () => void): (row: InvoiceRowFragment) => RowAction[] {
  const openDialog = useOpenDialog();
  // A retry after a failure sends the same key, so that the document is emailed once.
  const key = useRef(createRequestKey());
  const canEdit = useStaffRole("finance");
  const [discardInvoice] = useDiscardInvoiceMutation();
  const [sendInvoiceAgain] = useSendInvoiceAgainMutation();

  function discard({ manualInvoiceId, totalCents, customerName }: InvoiceRowFragment) {
    confirmAction({
      title: "Discard draft",
      confirmLabel: "Discard draft",
      danger: true,
      text: `The draft over ${formatAud(totalCents)} for ${customerName} is deleted. If it was sent as a quote, the quote can't be accepted any more. This can't be undone.`,
      run: () => discardInvoice({ variables: { id: manualInvoiceId ?? "" } }),
      success: "The draft has been discarded.",
      failure: "Unable to discard the draft.",
      onSettled: onDone,
    });
  }

  function sendAgain({ taxInvoiceId, number, customerName }: InvoiceRowFragment) {
    confirmAction({
      title: `Send ${number} again`,
      confirmLabel: "Send again",
      text: `The document is emailed to ${customerName} with the PDF. It stays as it was issued.`,
      run: async () => {
        await sendInvoiceAgain({ variables: { taxInvoiceId: taxInvoiceId ?? "", key: key.current } });
        key.current = createRequestKey();
      },
      success: `${number} has been sent again.`,
      failure: "Unable to send the document.",
      onSettled: onDone,
    });
  }

  return (row) => {
    const isOpen = row.manualInvoiceId !== null && (row.status === "OPEN" || row.status === "OVERDUE");
    const isDraft = row.status === "DRAFT";
    const isInvoice = row.kind === "INVOICE";
    const { userId, manualInvoiceId: invoiceId, taxInvoiceId, number } = row;
    const open = (load: () => Promise<{ default: ComponentType<InvoiceDialogProps> }>) => () =>
      openDialog(load, { invoice: row, onDone });
    const edit = () => openDialog(() => import("./invoice-dialog.tsx"), { userId, invoiceId, onDone });
    const refund = (id: string) => () =>
      openDialog(() => import("#web/billing/refunds/refund-dialog.tsx"), {
        invoice: { id, number: number ?? "" },
        onDone,
      });
    const pay = open(() => import("#web/billing/payments/record-payment-dialog.tsx"));
    const quote = open(() => import("#web/billing/quotes/send-quote-dialog.tsx"));
    const reissue = open(() => import("./reissue-dialog.tsx"));
    return [
      canEdit && isDraft && { label: "Issue", icon: IconSend, onSelect: open(() => import("./issue-dialog.tsx")) },
      canEdit && isDraft && { label: "Send quote", icon: IconMail, onSelect: quote },
      canEdit && isDraft && { label: "Edit", icon: IconPencil, onSelect: edit },
      canEdit && isOpen && { label: "Record Payment", icon: IconCash, onSelect: pay },
      canEdit &&
        isInvoice &&
        row.status === "PAID" &&
        taxInvoiceId !== null && { label: "Refund", icon: IconReceiptRefund, onSelect: refund(taxInvoiceId) },
      taxInvoiceId !== null && { label: "Download PDF", icon: IconDownload, onSelect: () => void downloadInvoice(row) },
      canEdit && taxInvoiceId !== null && { label: "Send again", icon: IconMail, onSelect: () => sendAgain(row) },
      canEdit &&
        isInvoice &&
        (isOpen || row.status === "PAID") && { label: "Re-issue", icon: IconReplace, onSelect: reissue },
      canEdit && isDraft && { label: "Discard", icon: IconTrash, danger: true, onSelect: () => discard(row) },
      canEdit &&
        isOpen && { label: "Void", icon: IconBan, danger: true, onSelect: open(() => import("./void-dialog.tsx")) },
    ].filter((action) => action !== false);
  };
}
