import type { JournalAccount } from "#schema/accounting.ts";
import { getCalendarDay } from "#schema/days.ts";
import type { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import type { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { JournalEntry } from "./journal-entry.entity.ts";

interface Event extends Pick<JournalEntry, "event" | "at" | "user" | "sourceId" | "document" | "invoice"> {
  readonly entries: readonly (readonly [
    debit: JournalAccount,
    credit: JournalAccount,
    cents: number,
    gstCents?: number,
  ])[];
}

/**
 * Records what an event moves between accounts, with the next changes of the transaction of `em`. Entries of 0 cents are left
 * out, but every event has one.
 */
export function recordEntries(em: EntityManager, { entries, ...event }: Event): void {
  const moved = entries.filter(([, , cents]) => cents !== 0);
  for (const [debit, credit, cents, gstCents] of moved.length > 0 ? moved : entries.slice(0, 1))
    em.create(JournalEntry, { ...event, day: getCalendarDay(event.at), debit, credit, cents, gstCents: gstCents ?? 0 });
}

/**
 * Records a document that was issued, and the card payment or refund that it is about. Payments of an invoice by hand are
 * events of their own, and an invoice that replaces another one was paid with that one.
 * @param invoice the invoice by hand whose balance the document changes
 */
export function recordDocument(em: EntityManager, document: TaxInvoice, invoice: ManualInvoice | null = null): void {
  const { id: sourceId, user, kind, issuedAt, paidAt, dueAt, replaces, providerRefundId } = document;
  const { totalCents, gstCents } = document;
  const about = { user, sourceId, document, invoice };
  recordEntries(em, {
    ...about,
    event: "Document",
    at: issuedAt,
    entries: [
      ["receivable", "deferred", totalCents - gstCents],
      ["receivable", "gst", gstCents],
    ],
  });
  if (!paidAt || dueAt || replaces) return;
  const isRefund = kind === "adjustment";
  const account = isRefund && !providerRefundId ? "bank" : "card";
  recordEntries(em, {
    ...about,
    event: isRefund ? "Refund" : "Card payment",
    at: paidAt,
    entries: [[account, "receivable", totalCents, gstCents]],
  });
}

/**
 * Returns the GST in a part of a document's total, in cents. The parts of a whole add up to its GST.
 * @param beforeCents the sum of the earlier parts
 */
export function shareGst({ totalCents, gstCents }: TaxInvoice, beforeCents: number, cents: number): number {
  const upTo = (part: number) => (totalCents === 0 ? 0 : Math.round((gstCents * part) / totalCents));
  return upTo(beforeCents + cents) - upTo(beforeCents);
}
