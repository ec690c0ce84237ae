import type { InvoiceStatus } from "#schema/manual-invoice.ts";
import type { ManualInvoice } from "./manual-invoice.entity.ts";

/** Returns SQL for the status of a manual invoice with alias `m`. `now` is SQL for the current time. */
export function buildStatusSql(now: string): string {
  return `case when m.status = 'open' and m.due_at < ${now} then 'overdue' else m.status end`;
}

/** Returns the status of an invoice, which is overdue when it is open after its due date. */
export function getInvoiceStatus({ status, dueAt }: Pick<ManualInvoice, "status" | "dueAt">, now: Date): InvoiceStatus {
  return status === "open" && dueAt !== null && dueAt < now ? "overdue" : status;
}

type Amounts = Pick<ManualInvoice, "status" | "totalCents" | "creditCents" | "paidCents">;

/** SQL for the balance of a manual invoice with alias `m`, as {@link getBalanceCents} returns it. */
export const balanceSql = "case when m.status = 'open' then m.total_cents - m.credit_cents - m.paid_cents else 0 end";

/** Returns what is still to be paid, in cents. A draft, a paid and a void invoice have no balance. */
export function getBalanceCents({ status, totalCents, creditCents, paidCents }: Amounts): number {
  return status === "open" ? totalCents - creditCents - paidCents : 0;
}
