import { MIN_CARD_CENTS } from "#schema/money.ts";
import { type EntityManager, query, queryRow } from "#api/platform/database/database.ts";
import type { ProviderSubscription } from "#api/platform/payments/provider-data.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import type { Subscription } from "./subscription.entity.ts";

type Charged = Pick<
  Subscription,
  | "id"
  | "planPrice"
  | "nextPlanPrice"
  | "amountCents"
  | "nextAmountCents"
  | "gstBasisPoints"
  | "isCancelledAtPeriodEnd"
  | "currentPeriodEndsAt"
>;

/** Returns our subscription `id` as the provider reports it, with the values that {@link findNextChargeCents} needs. */
export function toCharged({ id }: Pick<Subscription, "id">, found: ProviderSubscription): Charged {
  const { priceId, nextPriceId, amountCents, nextAmountCents, gstBasisPoints, isCancelledAtPeriodEnd } = found;
  return {
    id,
    planPrice: priceId,
    nextPlanPrice: nextPriceId,
    amountCents,
    nextAmountCents,
    gstBasisPoints,
    isCancelledAtPeriodEnd,
    currentPeriodEndsAt: found.periodEnd,
  };
}

/**
 * SQL: the price of the next period of the subscription with table alias `s`, in cents without GST; null if it is unknown.
 * Renewals keep the original price, unless another one was announced that the provider doesn't have yet.
 */
export const nextNetSql = `coalesce(s.next_amount_cents,
  case when s.next_plan_price is null then coalesce((select m.aud_cents from price_moves m where m.subscription_id = s.id
    and m.state = 'queued' and m.renews_at <= s.current_period_ends_at and m.from_cents = s.amount_cents), s.amount_cents) end,
  (select p.aud_cents from plan_prices p where p.id = coalesce(s.next_plan_price, s.plan_price)))`;

/** Returns the amount of a subscription's next period in cents, including GST; null if it is cancelled or unknown. */
export async function findNextChargeCents(em: EntityManager, subscription: Charged): Promise<number | null> {
  const { id, planPrice, nextPlanPrice, amountCents, nextAmountCents, currentPeriodEndsAt } = subscription;
  if (subscription.isCancelledAtPeriodEnd) return null;
  const { cents } = await queryRow<{ cents: number | null }>(
    em,
    `select ${nextNetSql} as cents from (select $1::uuid as id, $2::text as plan_price, $3::text as next_plan_price,
       $4::int as amount_cents, $5::int as next_amount_cents, $6::timestamptz as current_period_ends_at) s`,
    [id, planPrice, nextPlanPrice, amountCents, nextAmountCents, currentPeriodEndsAt],
  );
  return cents === null ? null : addGst(cents, subscription.gstBasisPoints);
}

/** SQL: what the next charge of the user `s.user_id` includes of earlier invoices that were too small for a card, in cents. */
export const carriedSql = `(select coalesce(sum(i.total_cents), 0)::int from tax_invoices i
  where i.user_id = s.user_id and i.provider_invoice_id is not null and i.total_cents < ${MIN_CARD_CENTS} and not exists (
    select from payment_attempts a where a.user_id = i.user_id and a.reason is null and a.at >= i.issued_at))`;

/**
 * Returns what the card will be charged for a subscription's next period, in cents, while all payments are recorded. Null if it
 * is cancelled or unknown.
 */
export async function findNextPaymentCents(
  em: EntityManager,
  userId: string,
  subscription: Charged,
): Promise<number | null> {
  const charge = await findNextChargeCents(em, subscription);
  const sql = `select ${carriedSql} as cents from (select $1::uuid as user_id) s`;
  return charge === null ? null : charge + (await queryRow<{ cents: number }>(em, sql, [userId])).cents;
}

/**
 * Queues the price again that was announced to a subscriber, because a pause or a change of plan that the customer withdrew
 * removed it at the provider. Does nothing if none was announced.
 */
export async function requeueMove(
  em: EntityManager,
  { id, planPrice, amountCents }: Pick<Subscription, "id" | "planPrice" | "amountCents">,
  now: Date,
): Promise<void> {
  await query(
    em,
    `update price_moves m set state = 'queued'
      where m.state <> 'queued' and m.renews_at > $2 and m.plan_price = $3 and m.from_cents = $4
        and exists (select from mails where dedupe_key = 'price-move:' || m.id)
        and m.id = (select id from price_moves where subscription_id = $1 order by created_at desc, id limit 1)`,
    [id, now, planPrice, amountCents],
  );
}
