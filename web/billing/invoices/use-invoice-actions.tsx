import {
  IconBan,
  IconCash,
  IconDownload,
  IconMail,
  IconPencil,
  IconReceiptRefund,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { InvoiceRowFragment } from "#web/generated/graphql.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { downloadInvoice } from "./download-invoice.ts";

const InvoiceDialog = lazyDialog(
  () => import("./invoice-dialog.tsx").then((file) => file.InvoiceDialog),
  ({ edited }) => edited !== null,
);
const RecordPaymentDialog = lazyDialog(
  () => import("#web/billing/payments/record-payment-dialog.tsx").then((file) => file.RecordPaymentDialog),
  ({ invoice }) => invoice !== null,
);
const SendQuoteDialog = lazyDialog(
  () => import("#web/billing/quotes/send-quote-dialog.tsx").then((file) => file.SendQuoteDialog),
  ({ invoice }) => invoice !== null,
);
const IssueDialog = lazyDialog(
  () => import("./issue-dialog.tsx").then((file) => file.IssueDialog),
  ({ invoice }) => invoice !== null,
);
const DiscardDialog = lazyDialog(
  () => import("./discard-dialog.tsx").then((file) => file.DiscardDialog),
  ({ invoice }) => invoice !== null,
);
const VoidDialog = lazyDialog(
  () => import("./void-dialog.tsx").then((file) => file.VoidDialog),
  ({ invoice }) => invoice !== null,
);

const RefundDialog = lazyDialog(
  () => import("#web/billing/refunds/refund-dialog.tsx").then((file) => file.RefundDialog),
  ({ invoice }) => invoice !== null,
);

const SendAgainDialog = lazyDialog(
  () => import("./send-again-dialog.tsx").then((file) => file.SendAgainDialog),
  ({ invoice }) => invoice !== null,
);

type Kind = "again" | "edit" | "quote" | "issue" | "discard" | "pay" | "void" | "refund";

/** Returns the actions of an invoice that staff may use, and the dialogs that they open. */
export function useInvoiceActions(onDone: () => void): {
  actions: (row: InvoiceRowFragment) => RowAction[];
  dialogs: ReactNode;
} {
  const [open, setOpen] = useState<{ kind: Kind; row: InvoiceRowFragment } | null>(null);
  const canEdit = useStaffRole("finance");
  const close = () => setOpen(null);
  const pick = (kind: Kind) => (open?.kind === kind ? open.row : null);
  const edited = pick("edit");
  const others = { onClose: close, onDone };

  return {
    actions: (row) => {
      const start = (kind: Kind) => () => setOpen({ kind, row });
      const isOpen = row.manualInvoiceId !== null && (row.status === "OPEN" || row.status === "OVERDUE");
      const isDraft = row.status === "DRAFT";
      return [
        ...(canEdit && isDraft
          ? [
              { label: "Issue", icon: IconSend, onSelect: start("issue") },
              { label: "Send quote", icon: IconMail, onSelect: start("quote") },
              { label: "Edit", icon: IconPencil, onSelect: start("edit") },
            ]
          : []),
        ...(canEdit && isOpen ? [{ label: "Record Payment", icon: IconCash, onSelect: start("pay") }] : []),
        ...(canEdit && row.kind === "INVOICE" && row.status === "PAID"
          ? [{ label: "Refund", icon: IconReceiptRefund, onSelect: start("refund") }]
          : []),
        ...(row.taxInvoiceId
          ? [
              {
                label: "Download PDF",
                icon: IconDownload,
                onSelect: () => void downloadInvoice(row),
              },
            ]
          : []),
        ...(canEdit && row.taxInvoiceId ? [{ label: "Send again", icon: IconMail, onSelect: start("again") }] : []),
        ...(canEdit && isDraft
          ? [{ label: "Discard", icon: IconTrash, danger: true, onSelect: start("discard") }]
          : []),
        ...(canEdit && isOpen ? [{ label: "Void", icon: IconBan, danger: true, onSelect: start("void") }] : []),
      ];
    },
    dialogs: (
      <>
        <InvoiceDialog
          edited={edited && { userId: edited.userId, invoiceId: edited.manualInvoiceId }}
          onClose={close}
          onDone={onDone}
        />
        <RecordPaymentDialog invoice={pick("pay")} {...others} />
        <SendQuoteDialog invoice={pick("quote")} {...others} />
        <IssueDialog invoice={pick("issue")} {...others} />
        <DiscardDialog invoice={pick("discard")} {...others} />
        <RefundDialog invoice={toRefunded(pick("refund"))} {...others} />
        <SendAgainDialog invoice={pick("again")} {...others} />
        <VoidDialog invoice={pick("void")} {...others} />
      </>
    ),
  };
}

/** Returns what the refund dialog needs of an invoice, which has a number once it is paid. */
function toRefunded(row: InvoiceRowFragment | null): { id: string; number: string } | null {
  return row?.taxInvoiceId ? { id: row.taxInvoiceId, number: row.number ?? "" } : null;
}
