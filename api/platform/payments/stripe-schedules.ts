import Stripe from "stripe";

/** A price that starts with the next period: the provider's id, and our own data about it. */
interface NextPhase {
  readonly price: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A subscription with its only item. */
export type Loaded = { readonly subscription: Stripe.Subscription; readonly item: Stripe.SubscriptionItem };

/**
 * Metadata of a cancelled subscription with its {@link NextPhase}. The provider allows no schedule on a subscription that
 * is cancelled at the end of its period.
 */
const STORED_PRICE = "plannedPrice";
const STORED_METADATA = "plannedMetadata";

/** Returns a subscription's active or upcoming schedule, or null. */
export function getActiveSchedule({ schedule }: Stripe.Subscription): Stripe.SubscriptionSchedule | null {
  if (!schedule || typeof schedule === "string") return null;
  return schedule.status === "active" || schedule.status === "not_started" ? schedule : null;
}

/** Removes a scheduled change. Stripe doesn't allow other changes while a schedule is active. */
export async function releaseSchedule(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  const schedule = getActiveSchedule(subscription);
  if (!schedule) return;
  try {
    await stripe.subscriptionSchedules.release(schedule.id);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // Another request may have released or cancelled it in the meantime, or the response to the first attempt was lost.
    if (getActiveSchedule(await stripe.subscriptions.retrieve(subscription.id, { expand: ["schedule"] }))) throw error;
  }
}

/** Returns the phase that {@link cancelAtPeriodEnd} stored, or null. */
export function getStoredPhase(metadata: Stripe.Metadata): NextPhase | null {
  const { [STORED_PRICE]: price, [STORED_METADATA]: stored } = metadata;
  return price && stored ? { price, metadata: JSON.parse(stored) as Record<string, string> } : null;
}

/** Returns the phase after the current one, if there is one. */
export function findNextPhase({ phases, current_phase: current }: Stripe.SubscriptionSchedule) {
  return phases.find(({ start_date }) => start_date > (current?.start_date ?? 0));
}

/** Schedules a price for the next period, in place of one that is already scheduled. */
export async function scheduleNextPhase(
  stripe: Stripe,
  { subscription, item }: Loaded,
  { price, metadata, key }: NextPhase & { readonly key?: string },
): Promise<void> {
  // Update an existing schedule in place. Releasing it first could undo a change by a concurrent request.
  const schedule =
    getActiveSchedule(subscription) ??
    (await stripe.subscriptionSchedules.create(
      { from_subscription: subscription.id },
      key ? { idempotencyKey: `${key}-schedule` } : {},
    ));
  const current = schedule.phases.find((phase) => phase.start_date === schedule.current_phase?.start_date);
  if (!current) throw new Error(`schedule ${schedule.id} has no phase`);
  // A phase without tax rates would remove the GST.
  const rates = (subscription.default_tax_rates ?? []).map(({ id }) => id);
  const tax = rates.length > 0 ? { default_tax_rates: rates } : {};
  // A phase without the end of the trial would charge the time that a pause moved.
  const trial = current.trial_end ? { trial_end: current.trial_end } : {};
  await stripe.subscriptionSchedules.update(
    schedule.id,
    {
      end_behavior: "release",
      proration_behavior: "none",
      phases: [
        {
          ...tax,
          ...trial,
          items: [{ price: item.price.id }],
          start_date: current.start_date,
          end_date: current.end_date,
        },
        { ...tax, items: [{ price }], metadata },
      ],
    },
    key ? { idempotencyKey: `${key}-phases` } : {},
  );
}

/** Cancels a subscription at the end of its period, and stores what was scheduled for {@link resumeWithPlannedChange}. */
export async function cancelAtPeriodEnd(stripe: Stripe, subscription: Stripe.Subscription): Promise<void> {
  if (subscription.cancel_at_period_end) return;
  const schedule = getActiveSchedule(subscription);
  if (schedule) {
    const next = findNextPhase(schedule);
    const price = next?.items[0]?.price;
    // Store first, so that nothing is lost if the calls after it fail.
    if (next && price)
      await stripe.subscriptions.update(subscription.id, {
        metadata: {
          [STORED_PRICE]: typeof price === "string" ? price : price.id,
          [STORED_METADATA]: JSON.stringify(next.metadata ?? {}),
        },
      });
    await releaseSchedule(stripe, subscription);
  }
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
}

/** Resumes a cancelled subscription and schedules again what was planned before. A repeated call completes the first. */
export async function resumeWithPlannedChange(stripe: Stripe, { subscription, item }: Loaded): Promise<void> {
  if (subscription.cancel_at_period_end)
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
  const stored = getStoredPhase(subscription.metadata);
  if (!stored) return;
  const schedule = getActiveSchedule(subscription);
  // The customer may have planned another change after a first call that failed.
  if (!schedule || !findNextPhase(schedule)) await scheduleNextPhase(stripe, { subscription, item }, stored);
  await stripe.subscriptions.update(subscription.id, { metadata: { [STORED_PRICE]: "", [STORED_METADATA]: "" } });
}
