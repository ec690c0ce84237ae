import { formatAud } from "#schema/money.ts";
import type { CreditValues } from "#schema/manual-invoice.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { lockCustomer, assertCanBeInvoiced } from "#api/billing/invoices/lock-invoice.ts";
import type { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { recordEntries, shareGst } from "#api/billing/journal/record-entries.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inKeyedTransaction, queryRow } from "#api/platform/database/database.ts";
import { repeatResult } from "#api/billing/request-key.ts";
import { CreditEntry } from "./credit-entry.entity.ts";

/** A customer's credit in cents. */
export interface Credit {
  /** Given by staff: it reduces the price of an invoice, and the GST. */
  readonly goodwillCents: number;
  /** Money that the customer paid, and that pays an invoice. */
  readonly paidCents: number;
}

/** Returns a customer's credit. Exact only while the user's row is locked. */
export async function getCredit(em: EntityManager, userId: string): Promise<Credit> {
  return queryRow<Credit>(
    em,
    `select coalesce(sum(goodwill_cents), 0)::int as "goodwillCents",
            coalesce(sum(amount_cents - goodwill_cents), 0)::int as "paidCents" from credit_entries where user_id = $1`,
    [userId],
  );
}

/**
 * Adds credit, which the customer's next invoices use (docs/domain.md#credits). A repeated call with the same key
 * returns the first entry.
 * @throws AppError NOT_FOUND; CONFLICT for an admin, for an archived or deleted account, and as {@link repeatResult}.
 */
export async function addCredit(
  context: Context,
  userId: string,
  { amountCents, reason, isPaid }: CreditValues,
  key: string,
): Promise<CreditEntry> {
  const goodwillCents = isPaid ? 0 : amountCents;
  return inKeyedTransaction(context, async (em) => {
    const user = await lockCustomer(em, userId);
    const first = await em.findOne(CreditEntry, { key });
    if (first) {
      const isSameAmount = first.amountCents === amountCents && first.goodwillCents === goodwillCents;
      const isSame = first.user.id === user.id && isSameAmount && first.reason === reason;
      return repeatResult(first, isSame, `credit of ${formatAud(first.amountCents)} was added`);
    }
    assertCanBeInvoiced(user);
    const entry = em.create(CreditEntry, {
      key,
      user,
      kind: "added",
      amountCents,
      goodwillCents,
      reason,
      createdAt: context.clock.now(),
      createdById: context.actor?.userId ?? null,
    });
    recordCredit(em, entry);
    await recordChange(context, em, {
      action: "add-credit",
      subject: { type: "credit", id: entry.id, name: formatAud(amountCents) },
      userId: user.id,
      after: { amount: formatAud(amountCents), kind: isPaid ? "Paid by the customer" : "Goodwill", reason },
    });
    await em.flush();
    return entry;
  });
}

/** Writes a change of the credit by the system. Requires the lock on `user`. Does nothing for 0 cents. */
export function changeCredit(
  context: Pick<Context, "clock">,
  em: EntityManager,
  user: User,
  change: Pick<CreditEntry, "kind" | "amountCents" | "reason"> & {
    goodwillCents?: number;
    invoice: ManualInvoice;
  },
): void {
  if (change.amountCents === 0) return;
  const { taxInvoice } = change.invoice;
  recordCredit(em, em.create(CreditEntry, { ...change, user, taxInvoice, createdAt: context.clock.now() }));
}

const events = { added: "Payment", applied: "Credit used", returned: "Credit returned" } as const;

/** Records what a change of the credit moves, except goodwill, and an overpayment, which is a part of its payment. */
function recordCredit(em: EntityManager, entry: CreditEntry): void {
  const { id: sourceId, kind, createdAt: at, user, invoice, taxInvoice: document, amountCents, goodwillCents } = entry;
  const cents = goodwillCents - amountCents;
  if (kind === "overpaid" || cents === 0) return;
  recordEntries(em, {
    event: events[kind],
    at,
    user,
    sourceId,
    document,
    invoice,
    entries: document
      ? [["credit", "receivable", cents, shareGst(document, Math.max(0, -cents), cents)]]
      : [["bank", "credit", amountCents]],
  });
}
