import { formatAud } from "#schema/money.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import type { RecordedChange } from "#api/audit/change-log/record-change.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";

/** Returns the audited values of an invoice. */
export function toAuditedInvoice(invoice: ManualInvoice): AuditedValues {
  return {
    status: invoice.status,
    lines: invoice.lines.map(({ description, quantity, unitCents, firstDay, lastDay }) => {
      const days = firstDay && lastDay ? `, ${firstDay} to ${lastDay}` : "";
      return `${quantity} × ${description}, ${formatAud(unitCents)}${days}`;
    }),
    gst: formatAud(invoice.gstCents),
    total: formatAud(invoice.totalCents),
    goodwill: formatAud(invoice.goodwillCents),
    credit: formatAud(invoice.creditCents),
    paid: formatAud(invoice.paidCents),
    dueAt: invoice.dueAt?.toISOString() ?? null,
    purchaseOrder: invoice.purchaseOrder,
    licenceUntil: invoice.licenceTerms?.until ?? null,
    revision: invoice.revision,
  };
}

/** Returns the subject of an audit entry about an invoice: its number, or that it is a draft. */
export function getAuditSubject({ id, taxInvoice }: ManualInvoice): RecordedChange["subject"] {
  return { type: "invoice", id, name: taxInvoice?.number ?? "Draft" };
}
