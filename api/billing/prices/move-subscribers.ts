import { randomUUID } from "node:crypto";
import type { PriceMovePreview } from "./plans.resolver.ts";
import { LockMode } from "@mikro-orm/core";
import { formatAud } from "#schema/money.ts";
import { formatCount } from "#schema/numbers.ts";
import { type MoveSubscribersValues, NOTICE_DAYS } from "#schema/plan.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { priceChanging } from "#api/messaging/emails/templates/price-changing.tsx";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, lockRow, query, queryRow } from "#api/platform/database/database.ts";
import { conflict, notFound } from "#api/platform/errors.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import { findPlanPrice, formatPlanPrice, PlanPrice, PriceMove } from "#api/billing/plans/plan.entity.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import { toSyncedPrice } from "#api/billing/plans/sync-catalogue.ts";
import { repeatResult } from "#api/billing/request-key.ts";
import { syncUser } from "#api/billing/subscriptions/sync-customer.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Maximum number of moves per batch of the sweep. */
const BATCH_SIZE = 50;

/**
 * SQL: the first renewal of `s` from $2 on, as `renewal.at`. Like the payment provider, it counts months from the start
 * where that leads to the current period's end, so that a subscription of the 31st renews on 28 February and 31 March.
 */
const renewal = `(
    select at from (select s.started_at at time zone 'UTC', s.current_period_ends_at at time zone 'UTC') t(started, ends),
      lateral (select (12 * (date_part('year', ends) - date_part('year', started))
                       + date_part('month', ends) - date_part('month', started))::int) c(months),
      generate_series(0, 3) n,
      lateral (select n * case p.interval when 'yearly' then 12 else 1 end) a(more),
      lateral (select (case when started + make_interval(months => months) = ends
                            then started + make_interval(months => months + more)
                            else ends + make_interval(months => more) end) at time zone 'UTC') r(at)
     where at >= $2::timestamptz order by n limit 1) renewal`;

/**
 * SQL: running subscriptions `s` of the price `p` = $1 with another amount, without a planned change, and not yet moved.
 * Cancelled and past-due ones are left out.
 */
const movable = `subscriptions s join plan_prices p on p.id = s.plan_price join users u on u.id = s.user_id
  cross join lateral ${renewal}
  where p.id = $1 and s.status = 'active' and not s.is_cancelled_at_period_end and s.next_plan_price is null
    and s.provider_subscription_id is not null and s.amount_cents <> p.aud_cents and u.archived_at is null
    and s.next_amount_cents is distinct from p.aud_cents
    and not exists (select from price_moves m where m.subscription_id = s.id and m.state = 'queued')`;

/** SQL: what `s` pays before the renewal from $2 on, in cents without GST. */
const fromCents =
  "case when s.current_period_ends_at < $2 then coalesce(s.next_amount_cents, s.amount_cents) else s.amount_cents end";

const getNoticeEnd = ({ clock }: Pick<Context, "clock">) => addMilliseconds(clock.now(), NOTICE_DAYS * DAY);

/**
 * Returns the subscribers whom {@link moveSubscribers} would move now.
 * @throws AppError NOT_FOUND if there is no such price.
 */
export async function previewMove(context: Context, priceId: string): Promise<PriceMovePreview> {
  await applyDuePrices(context);
  const price = await findPlanPrice(context.em, priceId);
  if (price?.id !== priceId) throw notFound();
  const found = await queryRow<Omit<PriceMovePreview, "audCents">>(
    context.em,
    `select count(*)::int as count, count(*) filter (where s.current_period_ends_at < $2)::int as "tooSoonCount",
            min(renewal.at) as "firstRenewalAt", max(renewal.at) as "lastRenewalAt"
       from ${movable}`,
    [priceId, getNoticeEnd(context)],
  );
  // The statement returns times as text.
  const toDate = (moment: Date | null) => moment && new Date(moment);
  const { audCents } = price;
  return {
    ...found,
    audCents,
    firstRenewalAt: toDate(found.firstRenewalAt),
    lastRenewalAt: toDate(found.lastRenewalAt),
  };
}

/**
 * Moves the subscribers of a plan price to its current amount at their first renewal in {@link NOTICE_DAYS} or later, and
 * emails each of them (docs/domain.md#price-changes). A repeated call with the same key moves nobody else. A move keeps
 * the amount that its email announced, even if staff set another price before that renewal.
 * @returns the number of subscribers that the call with this key moves.
 * @throws AppError NOT_FOUND if there is no such price; CONFLICT as {@link repeatResult}, and for another price than expected.
 */
export async function moveSubscribers(context: Context, values: MoveSubscribersValues): Promise<number> {
  const { priceId, expectedAudCents, reason, key } = values;
  return inTransaction(context, async (em) => {
    // The lock makes concurrent moves of a price wait for each other.
    const price = await em.findOne(PlanPrice, priceId, { populate: ["plan"], lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!price) throw notFound();
    const first = await em.findOne(PriceMove, { key });
    if (first) {
      const known = await em.count(PriceMove, { key });
      const recorded = `${formatCount(known, "subscriber")} of another price moved`;
      return repeatResult(known, first.planPrice === price.id, recorded);
    }
    await applyDuePrices({ ...context, em });
    await em.refresh(price);
    if ((expectedAudCents ?? price.audCents) !== price.audCents)
      throw conflict(`The price changed to ${formatAud(price.audCents)} in the meantime.`);
    const moves = await insertMoves(context, em, priceId, key);
    await context.jobs.add(em, "move-subscriber", ...moves.map(({ id }) => ({ moveId: id })));
    if (moves.length > 0)
      await recordChange(context, em, {
        action: "move-subscribers",
        subject: { type: "plan", id: price.id, name: formatPlanPrice(price) },
        userId: null,
        after: { subscribers: moves.length, reason },
      });
    return moves.length;
  });
}

function insertMoves(context: Context, em: EntityManager, priceId: string, key: string): Promise<{ id: string }[]> {
  return query<{ id: string }>(
    em,
    `insert into price_moves (id, key, subscription_id, plan_price, from_cents, aud_cents, renews_at, state, created_at)
     select gen_random_uuid(), $3, s.id, p.id,
            ${fromCents}, p.aud_cents, renewal.at, 'queued', $4
       from ${movable}
     returning id`,
    [priceId, getNoticeEnd(context), key, context.clock.now()],
  );
}

/**
 * Moves one subscriber: emails the customer once, and schedules the price at the payment provider when the current
 * period ends with the renewal that the email names. Until then, the move stays queued. Skips a subscription that has
 * changed since staff moved it. A pause, or a change of plan that the customer withdraws, queues the move again.
 * @throws AppError UNAVAILABLE if the provider is unreachable. The job is then retried.
 */
export async function moveSubscriber(context: Context, { moveId }: { moveId: string }): Promise<void> {
  await keepNotice(context, moveId);
  const populate = ["subscription", "subscription.user"] as const;
  const move = await context.em.fork().findOne(PriceMove, moveId, { populate });
  if (move?.state !== "queued") return;
  const { subscription } = move;
  const price = await context.em.fork().findOne(PlanPrice, move.planPrice, { populate: ["plan"] });
  const { user, providerSubscriptionId, gstBasisPoints } = subscription;
  const isUnchanged =
    subscription.status !== "cancelled" &&
    !subscription.isCancelledAtPeriodEnd &&
    !subscription.nextPlanPrice &&
    !user.archivedAt &&
    subscription.planPrice === move.planPrice;
  if (!price || !providerSubscriptionId || !isUnchanged) return endMove(context, move, "skipped");
  const isOpen = await inTransaction(context, async (em) => {
    // The erasure of an account that was deleted since wouldn't delete the email.
    if ((await lockRow(em, User, user.id)).archivedAt) return false;
    await emailUserOnce(context, em, user, `price-move:${move.id}`, priceChanging, {
      plan: price.plan.name,
      interval: price.interval,
      fromCents: addGst(move.fromCents, gstBasisPoints),
      toCents: addGst(move.audCents, gstBasisPoints),
      hasGst: gstBasisPoints > 0,
      renewsAt: move.renewsAt,
    });
    return true;
  });
  if (!isOpen) return endMove(context, move, "skipped");
  // If a pause ends early, the renewal comes earlier too.
  const { status, pausedUntil, currentPeriodEndsAt, amountCents } = subscription;
  if (status !== "active" || pausedUntil || currentPeriodEndsAt < move.renewsAt) return;
  // The customer agreed to another price in the meantime.
  if (amountCents !== move.fromCents) return endMove(context, move, "skipped");
  await context.payments.changePlanAtRenewal({
    subscriptionId: providerSubscriptionId,
    price: { ...toSyncedPrice(price), audCents: move.audCents },
    // The same price can be scheduled again. If this call was interrupted, the next one continues its schedule.
    key: `price-move-${randomUUID()}`,
  });
  await syncUser(context, user.id);
  await endMove(context, move, "done");
}

/** Puts a move off to a later renewal if its job runs too late for the notice that the customer hasn't had yet. */
async function keepNotice(context: Context, moveId: string): Promise<void> {
  await query(
    context.em,
    `update price_moves m set renews_at = renewal.at, from_cents = ${fromCents}
       from subscriptions s join plan_prices p on p.id = s.plan_price cross join lateral ${renewal}
      where m.id = $1 and m.state = 'queued' and m.renews_at < $2 and s.id = m.subscription_id
        and not exists (select from mails where dedupe_key = 'price-move:' || m.id)`,
    [moveId, getNoticeEnd(context)],
  );
}

async function endMove(context: Context, { id }: PriceMove, state: PriceMove["state"]): Promise<void> {
  await context.em.fork().nativeUpdate(PriceMove, { id, state: "queued" }, { state });
}

/** Continues announced moves when their renewal is the next one, and ends those whose subscription has ended. */
export const continueMoves: Sweep = {
  name: "continue-price-moves",
  everySeconds: 60,
  async run(context) {
    const readBatch = (afterId: string | null) =>
      query<{ id: string }>(
        context.em,
        `select m.id from price_moves m join subscriptions s on s.id = m.subscription_id
          where m.state = 'queued' and exists (select from mails where dedupe_key = 'price-move:' || m.id)
            and (s.status = 'cancelled'
              or (s.status = 'active' and s.paused_until is null and s.current_period_ends_at >= m.renews_at))
            and ($1::uuid is null or m.id > $1)
          order by m.id limit ${BATCH_SIZE}`,
        [afterId],
      );
    return finishAll(context, readBatch, ({ id }) => moveSubscriber(context, { moveId: id }));
  },
};
