import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { declareEnum } from "#api/platform/graphql/enum-type.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { PAYMENT_GRACE_MS } from "./payment-rules.ts";
import { Subscription } from "./subscription.entity.ts";

/** Outcome at the end of a licence's period. */
export const LicenceRenewal = declareEnum("LicenceRenewal", "What happens at the end of a licence's period.", {
  NONE: "The licence ends. It has no running subscription.",
  RENEWS: "The next payment of its subscription extends the licence.",
  ENDS: "The licence ends because its subscription is cancelled.",
  PAYMENT_DUE: "The payment for the next period failed.",
  PAUSED: "The subscription is paused. The licence is valid again at `periodEndsAt`.",
});
export type LicenceRenewal = keyof typeof LicenceRenewal;

/** A licence's period as it is displayed. */
export interface LicencePeriod {
  /** End of the period, without the grace days included in `expiresAt` of a subscribed licence. */
  readonly endsAt: Date;
  readonly renewal: LicenceRenewal;
}

type LoaderContext = Pick<Context, "em">;

/** Returns the end of a licence's period, without grace days, and whether it renews or ends then. */
export async function getLicencePeriod(context: LoaderContext, licence: Licence): Promise<LicencePeriod> {
  const subscription = await getLatestSubscription(context, licence.id);
  const { expiresAt } = licence;
  if (!subscription) return { endsAt: expiresAt, renewal: LicenceRenewal.NONE };
  const { status, pausedUntil, paidUntil, currentPeriodEndsAt, isCancelledAtPeriodEnd } = subscription;
  const periodEnd = paidUntil ?? currentPeriodEndsAt;
  if (pausedUntil) return { endsAt: pausedUntil, renewal: LicenceRenewal.PAUSED };
  if (status === "past_due") return { endsAt: periodEnd, renewal: LicenceRenewal.PAYMENT_DUE };
  if (status === "active")
    return { endsAt: periodEnd, renewal: isCancelledAtPeriodEnd ? LicenceRenewal.ENDS : LicenceRenewal.RENEWS };
  // Subtract the grace days that an ended subscription leaves on the licence, but keep a later date set by staff.
  const graceMs = expiresAt.getTime() - periodEnd.getTime();
  const isGrace = graceMs > 0 && graceMs <= PAYMENT_GRACE_MS;
  return { endsAt: isGrace ? periodEnd : expiresAt, renewal: LicenceRenewal.NONE };
}

const getLatestSubscription = createLoader(
  async ({ em }: LoaderContext, licenceIds: readonly string[]): Promise<(Subscription | null)[]> => {
    const found = await em.find(Subscription, { licence: { $in: [...licenceIds] } }, { orderBy: { startedAt: "asc" } });
    const latest = new Map(found.map((subscription) => [subscription.licence.id, subscription]));
    return licenceIds.map((id) => latest.get(id) ?? null);
  },
);
