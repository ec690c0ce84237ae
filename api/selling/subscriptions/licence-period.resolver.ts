import { Ctx, FieldResolver, registerEnumType, Resolver, Root } from "type-graphql";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { isKeptBySubscription } from "./active-subscription.ts";
import { LicenceRenewal, licencePeriodOf } from "./licence-period.ts";

registerEnumType(LicenceRenewal, {
  name: "LicenceRenewal",
  description: "What happens at the end of a licence's period.",
  valuesConfig: {
    NONE: { description: "The licence ends; no subscription runs behind it." },
    RENEWS: { description: "The next payment of its subscription is due, and extends it." },
    ENDS: { description: "The licence ends, because its subscription is cancelled." },
    PAYMENT_DUE: { description: "The payment for the next period failed." },
  },
});

/** The fields of a licence that its subscription decides. */
@Resolver(() => Licence)
export class LicencePeriodResolver {
  @FieldResolver(() => Date, {
    description:
      "When the licence renews or ends, UTC: `expiresAt` without the days of grace after a subscription's period.",
  })
  async periodEndsAt(@Root() licence: Licence, @Ctx() context: Context): Promise<Date> {
    return (await licencePeriodOf(context, licence)).endsAt;
  }

  @FieldResolver(() => LicenceRenewal, { description: "What happens at `periodEndsAt`." })
  async renewal(@Root() licence: Licence, @Ctx() context: Context): Promise<LicenceRenewal> {
    return (await licencePeriodOf(context, licence)).renewal;
  }

  @FieldResolver(() => Boolean, { description: "A running subscription pays for it and moves its expiry." })
  async isSubscribed(@Root() licence: Licence, @Ctx() context: Context): Promise<boolean> {
    return isKeptBySubscription(context, licence.id);
  }
}
