import { formatAud } from "#schema/money.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import type { RecordedChange } from "#api/audit/change-log/record-change.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";

/** Returns the audited values of an invoice. */
export function toAuditedInvoice(invoice: ManualInvoice): AuditedValues {
  const {
    status,
    lines,
    gstCents,
    totalCents,
    goodwillCents,
    creditCents,
    paidCents,
    dueAt,
    purchaseOrder,
    licenceTerms,
  } = invoice;
  return {
    status,
    lines: lines.map(({ description, quantity, unitCents, firstDay, lastDay }) => {
      const days = firstDay && lastDay ? `, ${firstDay} to ${lastDay}` : "";
      return `${quantity} × ${description}, ${formatAud(unitCents)}${days}`;
    }),
    gst: formatAud(gstCents),
    total: formatAud(totalCents),
    goodwill: formatAud(goodwillCents),
    credit: formatAud(creditCents),
    paid: formatAud(paidCents),
    dueAt: dueAt?.toISOString() ?? null,
    purchaseOrder,
    licenceUntil: licenceTerms?.until ?? null,
    revision: invoice.revision,
  };
}

/** Returns the subject of an audit entry about an invoice: its number, or that it is a draft. */
export function getAuditSubject({ id, taxInvoice }: ManualInvoice): RecordedChange["subject"] {
  return { type: "invoice", id, name: taxInvoice?.number ?? "Draft" };
}
