import { randomUUID } from "node:crypto";
import { createSubscriber, loadSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import type { TestApp } from "#tests/support/test-app.ts";

export const refundMutation = `mutation ($input: RefundInput!) {
  refundInvoice(input: $input) {
    id status amountCents gstCents licence isToCard adjustmentNote { number totalCents gstCents }
  }
}`;

/** Creates a subscriber with a paid tax invoice, and a member of staff who may refund it. */
export async function createPaidInvoice(test: TestApp, changes: Record<string, unknown> = {}) {
  const { user, licence } = await createSubscriber(test, changes);
  const { rows } = await test.services.pool.query("select id from tax_invoices where user_id = $1", [user.id]);
  const staffToken = await signInAs(test, await createAdmin(test, { staffRoles: ["finance"] }));
  return { user, licence, invoiceId: rows[0].id as string, staffToken };
}

/** Builds the input of `refundInvoice`, with `changes`. */
export function buildRefund(invoiceId: string, changes: Record<string, unknown> = {}) {
  return { invoiceId, reason: "Bought twice by mistake", key: randomUUID(), ...changes };
}

/** Loads what a refund changes: the licence, the subscription and the adjustment notes of a user. */
export async function loadRefunded(test: TestApp, userId: string) {
  const { rows } = await test.services.pool.query<{ total_cents: number; gst_cents: number }>(
    "select total_cents, gst_cents from tax_invoices where user_id = $1 and kind = 'adjustment' order by number",
    [userId],
  );
  return { ...(await loadSubscription(test, userId)), notes: rows };
}
