import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/loaders.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { PAYMENT_GRACE_MS } from "./payment-rules.ts";
import { Subscription } from "./subscription.entity.ts";

/** What happens at the end of a licence's period. */
export enum LicenceRenewal {
  NONE = "NONE",
  RENEWS = "RENEWS",
  ENDS = "ENDS",
  PAYMENT_DUE = "PAYMENT_DUE",
}

/** The period of a licence as people are shown it. */
export interface LicencePeriod {
  /** Without the days of grace that `expiresAt` of a subscribed licence includes. */
  readonly endsAt: Date;
  readonly renewal: LicenceRenewal;
}

type Asker = Pick<Context, "em">;

/** Returns when a licence renews or ends, without days of grace, and which of the two it does. */
export async function licencePeriodOf(context: Asker, licence: Licence): Promise<LicencePeriod> {
  const subscription = await latestSubscriptionOf(context, licence.id);
  const { expiresAt } = licence;
  if (!subscription) return { endsAt: expiresAt, renewal: LicenceRenewal.NONE };
  const { status, paidUntil, currentPeriodEndsAt, isCancelledAtPeriodEnd } = subscription;
  const periodEnd = paidUntil ?? currentPeriodEndsAt;
  if (status === "past_due") return { endsAt: periodEnd, renewal: LicenceRenewal.PAYMENT_DUE };
  if (status === "active")
    return { endsAt: periodEnd, renewal: isCancelledAtPeriodEnd ? LicenceRenewal.ENDS : LicenceRenewal.RENEWS };
  // A subscription that ended leaves its days of grace on the licence; a date that staff gave later is kept.
  const graceMs = expiresAt.getTime() - periodEnd.getTime();
  const isGrace = graceMs > 0 && graceMs <= PAYMENT_GRACE_MS;
  return { endsAt: isGrace ? periodEnd : expiresAt, renewal: LicenceRenewal.NONE };
}

const latestSubscriptionOf = createLoader(
  async ({ em }: Asker, licenceIds: readonly string[]): Promise<(Subscription | null)[]> => {
    const found = await em.find(Subscription, { licence: { $in: [...licenceIds] } }, { orderBy: { startedAt: "asc" } });
    const latest = new Map(found.map((subscription) => [subscription.licence.id, subscription]));
    return licenceIds.map((id) => latest.get(id) ?? null);
  },
);
