import { addMilliseconds, HOUR, MINUTE, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { readSetting, saveSetting } from "#api/platform/database/stored-settings.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { finishAll } from "#api/platform/jobs/finish-each.ts";
import { applyProviderEvent, storeProviderEvents } from "./receive-provider-event.ts";
import { abandonIfUnknown, withdrawCheckout } from "./subscribe.ts";
import { syncUser } from "./sync-customer.ts";

/** Maximum number of rows per batch of a sweep. */
const BATCH_SIZE = 50;

/** Number of customers whose events are applied at the same time, so that one is read while another is written. */
const CONCURRENT = 2;

/**
 * Events up to this long before the last read, in milliseconds, are fetched again, because the provider may list them
 * late.
 */
const OVERLAP_MS = HOUR;

const SETTING = "payment-notices";

/** Applies events that were stored but not applied, for example because the process stopped. */
export const applyPendingEvents: Sweep = {
  name: "apply-payment-notices",
  everySeconds: 20,
  async run(context) {
    // One event of each customer, because applying it applies the others.
    const readBatch = (afterId: string | null) =>
      query<{ id: string }>(
        context.em,
        `select min(id) as id from payment_notices where applied_at is null
          group by coalesce(customer_id, id) having $1::text is null or min(id) > $1 order by 1 limit ${BATCH_SIZE}`,
        [afterId],
      );
    return finishAll(context, readBatch, ({ id }) => applyProviderEvent(context, id), CONCURRENT);
  },
};

/** Fetches events from the provider whose webhooks haven't arrived within a minute. */
export const fetchMissedEvents: Sweep = {
  name: "fetch-payment-notices",
  everySeconds: 30,
  run: (context) => fetchEvents(context, context.clock.now()),
};

/**
 * Fetches and applies the provider's events since the last read, and at least since a moment. Returns how many were new.
 * After the clock was moved in development, events get dates that were already read.
 */
export async function fetchEvents(context: Context, since: Date): Promise<number> {
  // The events of this time are fetched once card payments are on again.
  if (context.payments.cardEntry.kind === "off") return 0;
  const now = context.clock.now();
  const setting = await readSetting<{ readUntil: string }>(context.em, SETTING);
  // Without any payment customers there are no events to fetch.
  const customers = await query(context.em, "select from payment_customers limit 1", []);
  if (customers.length === 0) return 0;
  const readUntil = setting ? Math.min(Date.parse(setting.readUntil), since.getTime()) : 0;
  const notices = await context.payments.listEvents(new Date(Math.max(0, readUntil - OVERLAP_MS)));
  const missed = await storeProviderEvents(context, notices);
  await saveEventsReadUntil(context.em, now);
  if (missed > 0) while ((await applyPendingEvents.run(context)) > 0);
  return missed;
}

/** Saves the time up to which the provider's events have been read. */
export async function saveEventsReadUntil(em: EntityManager, readUntil: Date): Promise<void> {
  await saveSetting(em, SETTING, { readUntil });
}

/** Time after which a checkout with an interrupted request is checked. */
const CHECK_AFTER_MS = 30 * SECOND;
/** Time after which a checkout is abandoned if the provider has no subscription for it. Even slow requests have ended by then. */
const ABANDON_AFTER_MS = 10 * MINUTE;
/** Time a customer has to authenticate with the bank, slightly less than a promo code reservation lasts. */
const AUTHENTICATION_MS = 25 * MINUTE;

interface WaitingCheckout {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: string;
  readonly state: string;
}

/** Completes checkouts whose response was lost, and abandons those that were never paid. */
export const settleCheckouts = defineDestructiveSweep({
  name: "settle-checkouts",
  everySeconds: 20,
  async run(context, now) {
    const readBatch = (afterId: string | null) =>
      query<WaitingCheckout>(
        context.em,
        `select id, user_id as "userId", created_at as "createdAt", state from checkouts
          where ((state = 'open' and created_at < $1) or (state = 'needs_authentication' and created_at < $2))
            and ($3::uuid is null or id > $3)
          order by id limit ${BATCH_SIZE}`,
        [addMilliseconds(now, -CHECK_AFTER_MS), addMilliseconds(now, -AUTHENTICATION_MS), afterId],
      );
    return finishAll(context, readBatch, (checkout) => settleOne(context, checkout, now));
  },
});

async function settleOne(
  context: Context,
  { id, userId, createdAt, state }: WaitingCheckout,
  now: Date,
): Promise<boolean> {
  if (state === "needs_authentication") await withdrawCheckout(context, userId, id);
  else await syncUser(context, userId);
  if (new Date(createdAt) < addMilliseconds(now, -ABANDON_AFTER_MS)) await abandonIfUnknown(context, id);
  const [row] = await query<{ state: string }>(context.em, "select state from checkouts where id = $1", [id]);
  return row?.state !== "open" && row?.state !== "needs_authentication";
}
