import { getPeriodEndAfter } from "./dates.ts";
import {
  invalid,
  notSimulated,
  enumeration,
  group,
  integer,
  list,
  metadata,
  type Parsed,
  required,
  text,
} from "./parameters.ts";
import type { SchedulePhase, SubscriptionSchedule } from "./objects.ts";
import { calculateBilledPeriod, prorationShape } from "./price-changes.ts";
import { route } from "./routes.ts";
import { applyPriceChange, getItem } from "./subscription-state.ts";
import type { Transaction } from "./transaction.ts";

const phaseShape = {
  items: required(list(group({ price: required(text) }))),
  start_date: integer,
  end_date: integer,
  trial_end: integer,
  default_tax_rates: list(text),
  metadata,
};

/** Routes for subscription schedules, which change the price at the end of the period. */
export const scheduleRoutes = [
  route("POST /v1/subscription_schedules", { from_subscription: required(text) }, async (tx, params) => {
    const subscription = await tx.get("subscription", params.from_subscription, "from_subscription");
    const { id, customer, default_tax_rates, status, trial_end } = subscription;
    if (subscription.schedule)
      throw invalid("You cannot migrate a subscription that is already attached to a schedule.", "from_subscription");
    if (status === "incomplete" || subscription.ended_at !== null)
      throw invalid(`You cannot migrate a subscription that is ${status}.`, "from_subscription");
    if (subscription.cancel_at_period_end)
      throw notSimulated("a schedule for a subscription that is set to cancel", "from_subscription");
    const item = getItem(subscription);
    const current = { start_date: item.current_period_start, end_date: item.current_period_end };
    const phase = {
      ...current,
      default_tax_rates,
      items: [{ price: item.price.id }],
      metadata: {},
      trial_end: status === "trialing" ? trial_end : null,
    };
    const schedule = tx.create("subscription_schedule", {
      current_phase: current,
      customer,
      phases: [phase],
      released_subscription: null,
      status: "active",
      subscription: id,
    });
    tx.emit("customer.subscription.updated", tx.save(subscription, { schedule: schedule.id }));
    return schedule;
  }),
  route(
    "POST /v1/subscription_schedules/:id",
    {
      phases: required(list(group(phaseShape))),
      end_behavior: enumeration("release"),
      proration_behavior: prorationShape.proration_behavior,
    },
    async (tx, params, id) => {
      const schedule = await getActiveSchedule(tx, id);
      return tx.save(schedule, { phases: await buildPhases(tx, schedule, params.phases) });
    },
  ),
  route("POST /v1/subscription_schedules/:id/release", {}, async (tx, _params, id) =>
    releaseSchedule(tx, await getActiveSchedule(tx, id)),
  ),
];

/** Ends the current phase. Starts the next one with its price, or releases the subscription after the last phase. */
export async function endPhase(tx: Transaction, schedule: SubscriptionSchedule): Promise<void> {
  const subscription = await getScheduledSubscription(tx, schedule);
  const next = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.end_date);
  if (!next) {
    await releaseSchedule(tx, schedule);
    return;
  }
  tx.save(schedule, { current_phase: { start_date: next.start_date, end_date: next.end_date } });
  const price = await tx.get("price", next.items[0]?.price ?? "");
  const { price: before, current_period_start: start, current_period_end: end } = getItem(subscription);
  const isSameInterval = price.recurring.interval === before.recurring.interval;
  // The period ends at the same time, so nothing is prorated, and the renewal bills the new price.
  await applyPriceChange(tx, subscription, {
    price: price.id,
    anchor: isSameInterval ? subscription.billing_cycle_anchor : next.start_date,
    start,
    end,
    billed: calculateBilledPeriod(price, { start, end }),
  });
  tx.save(subscription, {
    default_tax_rates: next.default_tax_rates,
    metadata: { ...subscription.metadata, ...next.metadata },
  });
}

async function getActiveSchedule(tx: Transaction, id: string): Promise<SubscriptionSchedule> {
  const schedule = await tx.get("subscription_schedule", id);
  if (schedule.status !== "active")
    throw invalid(`You cannot update a subscription schedule that is currently in the \`${schedule.status}\` status.`);
  return schedule;
}

const getScheduledSubscription = (tx: Transaction, { subscription }: SubscriptionSchedule) =>
  tx.get("subscription", subscription ?? "");

async function releaseSchedule(tx: Transaction, schedule: SubscriptionSchedule): Promise<SubscriptionSchedule> {
  const subscription = await getScheduledSubscription(tx, schedule);
  tx.emit("customer.subscription.updated", tx.save(subscription, { schedule: null }));
  return tx.save(schedule, {
    status: "released",
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  });
}

async function buildPhases(
  tx: Transaction,
  schedule: SubscriptionSchedule,
  given: readonly Parsed<typeof phaseShape>[],
): Promise<SchedulePhase[]> {
  if (given.length < 1 || given.length > 2) throw notSimulated("schedules without one or two phases", "phases");
  const subscription = await getScheduledSubscription(tx, schedule);
  const item = getItem(subscription);
  const phases: SchedulePhase[] = [];
  for (const [index, phase] of given.entries()) {
    const param = `phases[${index}]`;
    const isCurrent = index === 0;
    const { price: priceId = "" } = phase.items[0] ?? {};
    const start = isCurrent ? schedule.current_phase?.start_date : phases[index - 1]?.end_date;
    if (start === undefined || (phase.start_date !== undefined && phase.start_date !== start))
      throw invalid("Phases must follow each other, and the current one cannot be moved.", `${param}[start_date]`);
    if (isCurrent && priceId !== item.price.id)
      throw notSimulated("a price change in the current phase", `${param}[items][0][price]`);
    if (isCurrent && phase.end_date !== item.current_period_end)
      throw notSimulated("a current phase that does not end with the period", `${param}[end_date]`);
    const price = isCurrent ? item.price : await tx.get("price", priceId, `${param}[items][0][price]`);
    const { default_tax_rates: rates } = phase;
    phases.push({
      default_tax_rates: rates
        ? await tx.getAll("tax_rate", rates, `${param}[default_tax_rates]`)
        : subscription.default_tax_rates,
      end_date: phase.end_date ?? getPeriodEndAfter(start, start, price.recurring),
      items: [{ price: price.id }],
      metadata: phase.metadata ?? {},
      start_date: start,
      trial_end: phase.trial_end ?? null,
    });
  }
  return phases;
}
