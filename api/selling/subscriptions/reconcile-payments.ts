import { after, HOUR, MINUTE, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { query } from "#api/platform/database.ts";
import { AppError, isDatabaseAway } from "#api/platform/errors.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { findPaymentCustomer } from "./payment-customers.ts";
import { applyNotice, keepNotice } from "./receive-notice.ts";
import { abandonIfUnknown } from "./subscribe.ts";
import { syncCustomer } from "./sync-customer.ts";

/** Rows worked on in one part of a sweep. */
const AT_ONCE = 50;

/** Notices from this long before the last look are asked for again: they may be listed late. */
const OVERLAP_MS = HOUR;

const SETTING = "payment-notices";

/** Applies notices that were kept and could not be applied, as when the process ended in between. */
export const applyWaitingNotices: DueWork = {
  name: "apply-payment-notices",
  everySeconds: 20,
  async run(context) {
    const waiting = await query<{ id: string }>(
      context.em,
      `select id from payment_notices where applied_at is null order by received_at, id limit ${AT_ONCE}`,
      [],
    );
    let applied = 0;
    for (const { id } of waiting) if (await goesWell(context, () => applyNotice(context, id))) applied++;
    return applied;
  },
};

/** Asks the provider for notices that never arrived ; within a minute nothing is missed any more. */
export const fetchLostNotices: DueWork = {
  name: "fetch-payment-notices",
  everySeconds: 30,
  async run(context) {
    const now = context.clock.now();
    const [setting] = await query<{ value: { readUntil: string } }>(
      context.em,
      "select value from settings where name = $1",
      [SETTING],
    );
    // Somebody who never began to pay has no notices worth asking for.
    const customers = await query(context.em, "select from payment_customers limit 1", []);
    if (customers.length === 0) return 0;
    const readUntil = setting ? Math.min(Date.parse(setting.value.readUntil), now.getTime()) : 0;
    const notices = await context.payments.listNotices(new Date(Math.max(0, readUntil - OVERLAP_MS)));
    let missed = 0;
    for (const notice of notices) if (await keepNotice(context, notice)) missed++;
    await noticesReadUntil(context.pool, now);
    if (missed > 0) while ((await applyWaitingNotices.run(context)) > 0);
    return missed;
  },
};

/** Remembers up to when the provider's notices are known. */
export async function noticesReadUntil(pool: Context["pool"], moment: Date): Promise<void> {
  await pool.query(
    `insert into settings (name, value) values ($1, jsonb_build_object('readUntil', $2::text))
     on conflict (name) do update set value = excluded.value`,
    [SETTING, moment.toISOString()],
  );
}

/** An intent whose request was cut off is looked at after this long … */
const LOOK_MS = 30 * SECOND;
/** … and given up after this long, when the provider knows nothing of it; then even a slow request has ended. */
const GIVE_UP_MS = 10 * MINUTE;
/** A customer who went to the bank and did not come back has this long; a held promo code is held a little longer. */
const AUTHENTICATION_MS = 25 * MINUTE;

/** Runs one of many: what fails is logged and left for the next sweep, so that it keeps nobody else waiting. */
async function goesWell(context: Context, work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false;
  } catch (error) {
    if (isDatabaseAway(error) || (error instanceof AppError && error.code === "UNAVAILABLE")) throw error;
    context.log.error({ err: error }, "a payment could not be reconciled");
    return false;
  }
}

interface WaitingCheckout {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly state: string;
  readonly providerSubscriptionId: string | null;
}

/** Finishes intents to subscribe whose answer got lost, and gives up those that came to nothing. */
export const settleCheckouts = destructiveWork({
  name: "settle-checkouts",
  everySeconds: 20,
  async run(context, now) {
    const waiting = await query<WaitingCheckout>(
      context.em,
      `select id, user_id as "userId", created_at as "createdAt", state,
              provider_subscription_id as "providerSubscriptionId" from checkouts
        where (state = 'open' and created_at < $1) or (state = 'needs_authentication' and created_at < $2)
        order by created_at limit ${AT_ONCE}`,
      [after(now, -LOOK_MS), after(now, -AUTHENTICATION_MS)],
    );
    let settled = 0;
    for (const checkout of waiting) if (await goesWell(context, () => settleOne(context, checkout, now))) settled++;
    return settled;
  },
});

async function settleOne(context: Context, checkout: WaitingCheckout, now: Date): Promise<boolean> {
  const customerId = await findPaymentCustomer(context, checkout.userId);
  if (customerId) await syncCustomer(context, customerId);
  if (customerId && checkout.state === "needs_authentication" && checkout.providerSubscriptionId) {
    await context.payments.withdrawUnpaid(checkout.providerSubscriptionId);
    await syncCustomer(context, customerId);
  }
  if (new Date(checkout.createdAt) < after(now, -GIVE_UP_MS)) await abandonIfUnknown(context, checkout.id);
  const [row] = await query<{ state: string }>(context.em, "select state from checkouts where id = $1", [checkout.id]);
  return row?.state !== "open" && row?.state !== "needs_authentication";
}
