import type { SchedulePhase, Subscription, SubscriptionSchedule } from "./billing-objects.ts";
import { invalid, notSimulated } from "./errors.ts";
import { createId } from "./identifiers.ts";
import { addIntervals, getPeriodEndAfter } from "./dates.ts";
import { group, list, metadata, enumeration, type Parsed, required, text, integer } from "./parameters.ts";
import { calculateBilledPeriod, getActivePrice } from "./price-changes.ts";
import { defineListRoute, mergeMetadata, defineGetRoute, defineRoute } from "./routes.ts";
import { endSubscription, getItem, applyPriceChange } from "./subscription-state.ts";
import { findTaxRates } from "./subscriptions.ts";
import type { Transaction } from "./transaction.ts";

const phaseShape = group({
  items: required(list(group({ price: required(text), quantity: enumeration("1") }))),
  start_date: integer,
  end_date: integer,
  trial_end: integer,
  duration: group({ interval: required(enumeration("day", "week", "month", "year")), interval_count: integer }),
  default_tax_rates: list(text),
  default_payment_method: text,
  proration_behavior: enumeration("none", "create_prorations", "always_invoice"),
  metadata,
});

type GivenPhase = Parsed<{ phase: typeof phaseShape & { required: true } }>["phase"];

/** Routes for subscription schedules, which change the price at the end of the period. */
export const scheduleRoutes = [
  defineRoute(
    "POST",
    "/v1/subscription_schedules",
    { from_subscription: required(text), metadata },
    async (tx, { params }) => {
      const subscription = await tx.get("subscription", params.from_subscription, "from_subscription");
      if (subscription.schedule)
        throw invalid("You cannot migrate a subscription that is already attached to a schedule.", "from_subscription");
      if (subscription.status === "incomplete" || subscription.ended_at !== null)
        throw invalid(`You cannot migrate a subscription that is ${subscription.status}.`, "from_subscription");
      if (subscription.cancel_at_period_end)
        throw notSimulated("a schedule for a subscription that is set to cancel", "from_subscription");
      const item = getItem(subscription);
      const current = { start_date: item.current_period_start, end_date: item.current_period_end };
      const schedule = tx.save<SubscriptionSchedule>({
        id: createId("sub_sched"),
        object: "subscription_schedule",
        created: await tx.now(subscription.customer),
        livemode: false,
        metadata: params.metadata ?? {},
        canceled_at: null,
        completed_at: null,
        current_phase: current,
        customer: subscription.customer,
        end_behavior: "release",
        phases: [
          {
            currency: subscription.currency,
            default_payment_method: null,
            default_tax_rates: subscription.default_tax_rates,
            discounts: [],
            ...current,
            items: [{ price: item.price.id, quantity: 1, metadata: {}, discounts: [], tax_rates: [] }],
            metadata: {},
            proration_behavior: "create_prorations",
            trial_end: subscription.status === "trialing" ? subscription.trial_end : null,
          },
        ],
        released_at: null,
        released_subscription: null,
        status: "active",
        subscription: subscription.id,
        test_clock: subscription.test_clock,
      });
      subscription.schedule = schedule.id;
      tx.save(subscription);
      await tx.emit("subscription_schedule.created", schedule);
      await tx.emit("customer.subscription.updated", subscription, { schedule: null });
      return schedule;
    },
  ),
  defineRoute(
    "POST",
    "/v1/subscription_schedules/:id",
    {
      phases: list(phaseShape),
      end_behavior: enumeration("release", "cancel"),
      proration_behavior: enumeration("none", "create_prorations", "always_invoice"),
      metadata,
    },
    async (tx, { id, params }) => {
      const schedule = await getActiveSchedule(tx, id);
      if (params.phases) schedule.phases = await buildPhases(tx, schedule, params.phases);
      const [first] = schedule.phases;
      if (first) schedule.current_phase = { start_date: first.start_date, end_date: first.end_date };
      schedule.end_behavior = params.end_behavior ?? schedule.end_behavior;
      schedule.metadata = mergeMetadata(schedule.metadata, params.metadata);
      await tx.emit("subscription_schedule.updated", tx.save(schedule));
      return schedule;
    },
  ),
  defineRoute("POST", "/v1/subscription_schedules/:id/release", {}, async (tx, { id }) => {
    const schedule = await getActiveSchedule(tx, id);
    await releaseSchedule(tx, schedule);
    return schedule;
  }),
  defineRoute("POST", "/v1/subscription_schedules/:id/cancel", {}, async (tx, { id }) => {
    const schedule = await getActiveSchedule(tx, id);
    await endSubscription(tx, await getScheduledSubscription(tx, schedule), "cancellation_requested");
    return schedule;
  }),
  defineGetRoute("/v1/subscription_schedules", "subscription_schedule"),
  defineListRoute("/v1/subscription_schedules", "subscription_schedule", { customer: text }),
];

/**
 * Ends the current phase. Starts the next one with its price, or releases or cancels the subscription after the last
 * phase.
 */
export async function endPhase(tx: Transaction, schedule: SubscriptionSchedule): Promise<void> {
  const subscription = await getScheduledSubscription(tx, schedule);
  const next = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.end_date);
  if (!next) {
    if (schedule.end_behavior === "cancel") await endSubscription(tx, subscription, "cancellation_requested");
    else await releaseSchedule(tx, schedule);
    return;
  }
  schedule.current_phase = { start_date: next.start_date, end_date: next.end_date };
  tx.save(schedule);
  const price = await tx.get("price", next.items[0]?.price ?? "");
  const item = getItem(subscription);
  const sameInterval =
    price.recurring.interval === item.price.recurring.interval &&
    price.recurring.interval_count === item.price.recurring.interval_count;
  const { current_period_start: start, current_period_end: end } = item;
  // The period ends at the same time, so nothing is prorated, and the renewal bills the new price.
  const anchor = sameInterval ? subscription.billing_cycle_anchor : next.start_date;
  await applyPriceChange(tx, subscription, {
    price: price.id,
    anchor,
    start,
    end,
    billed: calculateBilledPeriod(price, [], { start, end }),
  });
  subscription.default_tax_rates = next.default_tax_rates;
  Object.assign(subscription.metadata, next.metadata);
  if (next.default_payment_method) subscription.default_payment_method = next.default_payment_method;
  await tx.emit("subscription_schedule.updated", schedule);
}

async function getActiveSchedule(tx: Transaction, id: string): Promise<SubscriptionSchedule> {
  const schedule = await tx.get("subscription_schedule", id);
  if (schedule.status !== "active")
    throw invalid(`You cannot update a subscription schedule that is currently in the \`${schedule.status}\` status.`);
  return schedule;
}

async function getScheduledSubscription(tx: Transaction, schedule: SubscriptionSchedule): Promise<Subscription> {
  return tx.get("subscription", schedule.subscription ?? "");
}

async function releaseSchedule(tx: Transaction, schedule: SubscriptionSchedule): Promise<void> {
  const subscription = await getScheduledSubscription(tx, schedule);
  const now = await tx.now(schedule.customer);
  subscription.schedule = null;
  tx.save(subscription);
  Object.assign(schedule, {
    status: "released",
    released_at: now,
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  });
  await tx.emit("subscription_schedule.released", tx.save(schedule));
  await tx.emit("customer.subscription.updated", subscription, { schedule: schedule.id });
}

async function buildPhases(
  tx: Transaction,
  schedule: SubscriptionSchedule,
  given: readonly GivenPhase[],
): Promise<SchedulePhase[]> {
  const subscription = await getScheduledSubscription(tx, schedule);
  if (given.length > 2) throw notSimulated("more than one phase after the current one", "phases");
  const phases: SchedulePhase[] = [];
  for (const [index, phase] of given.entries()) {
    const param = `phases[${index}]`;
    const [item, ...more] = phase.items;
    if (!item || more.length > 0)
      throw invalid("The simulator supports schedules with exactly one item.", `${param}[items]`);
    const start = index === 0 ? schedule.current_phase?.start_date : phases[index - 1]?.end_date;
    if (start === undefined || (phase.start_date !== undefined && phase.start_date !== start))
      throw invalid("Phases must follow each other, and the current one cannot be moved.", `${param}[start_date]`);
    const current = getItem(subscription).price.id;
    const price =
      index === 0 && item.price === current
        ? await tx.get("price", current)
        : await getActivePrice(tx, item.price, `${param}[items][0][price]`);
    if (index === 0 && price.id !== current)
      throw notSimulated("a price change in the current phase", `${param}[items][0][price]`);
    const { duration } = phase;
    const end =
      phase.end_date ??
      (duration
        ? addIntervals(start, duration.interval, duration.interval_count ?? 1)
        : getPeriodEndAfter(start, start, price.recurring));
    if (index === 0 && end !== getItem(subscription).current_period_end)
      throw notSimulated("a current phase that does not end with the period", `${param}[end_date]`);
    if (end <= start) throw invalid("A phase must end after it starts.", `${param}[end_date]`);
    phases.push({
      currency: price.currency,
      default_payment_method: phase.default_payment_method ?? null,
      default_tax_rates: phase.default_tax_rates
        ? await findTaxRates(tx, phase.default_tax_rates, `${param}[default_tax_rates]`)
        : subscription.default_tax_rates,
      discounts: [],
      end_date: end,
      items: [{ price: price.id, quantity: 1, metadata: {}, discounts: [], tax_rates: [] }],
      metadata: phase.metadata ?? {},
      proration_behavior: phase.proration_behavior ?? "create_prorations",
      start_date: start,
      trial_end: phase.trial_end ?? null,
    });
  }
  if (phases.length === 0) throw invalid("A schedule must have at least one phase.", "phases");
  return phases;
}
