import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { hasRunningSubscription } from "./active-subscription.ts";
import { LicenceRenewal, getLicencePeriod } from "./licence-period.ts";

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
