import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { declareEnum } from "#api/platform/graphql/declare.ts";
import { getPeriodEnd, PAYMENT_GRACE_MS } from "./payment-rules.ts";
import { hasRunningSubscription, Subscription } from "./subscription.entity.ts";

const LicenceRenewal = declareEnum("LicenceRenewal", "What happens at the end of a licence's period.", {
  NONE: "The licence ends. It has no running subscription.",
  RENEWS: "The next payment of its subscription extends the licence.",
  ENDS: "The licence ends because its subscription is cancelled.",
  PAYMENT_DUE: "The payment for the next period failed.",
  PAUSED: "The subscription is paused. The licence is valid again at `periodEndsAt`.",
});
type LicenceRenewal = keyof typeof LicenceRenewal;

/** A licence's period as it is displayed. */
interface LicencePeriod {
  /** End of the period, without the grace days included in `expiresAt` of a subscribed licence. */
  readonly endsAt: Date;
  readonly renewal: LicenceRenewal;
}

type LoaderContext = Pick<Context, "em">;

/** Returns the end of a licence's period, without grace days, and whether it renews or ends then. */
async function getLicencePeriod(context: LoaderContext, licence: Licence): Promise<LicencePeriod> {
  const subscription = await getLatestSubscription(context, licence.id);
  const { expiresAt } = licence;
  if (!subscription) return { endsAt: expiresAt, renewal: LicenceRenewal.NONE };
  const { status, pausedUntil, isCancelledAtPeriodEnd } = subscription;
  const periodEnd = getPeriodEnd(subscription);
  if (pausedUntil) return { endsAt: pausedUntil, renewal: LicenceRenewal.PAUSED };
  if (status === "past_due") return { endsAt: periodEnd, renewal: LicenceRenewal.PAYMENT_DUE };
  // The licence of a cancelled subscription has no grace days, and staff may have set another date.
  if (status === "active" && isCancelledAtPeriodEnd) return { endsAt: expiresAt, renewal: LicenceRenewal.ENDS };
  if (status === "active") return { endsAt: periodEnd, renewal: LicenceRenewal.RENEWS };
  // Subtract the grace days that an ended subscription leaves on the licence, but keep another date set by staff.
  const isGrace = expiresAt.getTime() === periodEnd.getTime() + PAYMENT_GRACE_MS;
  return { endsAt: isGrace ? periodEnd : expiresAt, renewal: LicenceRenewal.NONE };
}

const getLatestSubscription = createLoader(
  async ({ em }: LoaderContext, licenceIds: readonly string[]): Promise<(Subscription | null)[]> => {
    const found = await em.find(Subscription, { licence: { $in: [...licenceIds] } }, { orderBy: { startedAt: "asc" } });
    const latest = new Map(found.map((subscription) => [subscription.licence.id, subscription]));
    return licenceIds.map((id) => latest.get(id) ?? null);
  },
);

/** Licence fields that depend on the licence's subscription. */
@Resolver(() => Licence)
export class LicencePeriodResolver {
  @FieldResolver(() => Date, {
    description:
      "The date the licence renews or ends, in UTC. Unlike `expiresAt`, it excludes the grace period of a subscription.",
  })
  async periodEndsAt(@Root() licence: Licence, @Ctx() context: Context): Promise<Date> {
    return (await getLicencePeriod(context, licence)).endsAt;
  }

  @FieldResolver(() => LicenceRenewal, { description: "What happens at `periodEndsAt`." })
  async renewal(@Root() licence: Licence, @Ctx() context: Context): Promise<LicenceRenewal> {
    return (await getLicencePeriod(context, licence)).renewal;
  }

  @FieldResolver(() => Boolean, { description: "Whether a running subscription pays for the licence and extends it." })
  async isSubscribed(@Root() licence: Licence, @Ctx() context: Context): Promise<boolean> {
    return hasRunningSubscription(context, licence.id);
  }
}
