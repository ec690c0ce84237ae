import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { createLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { findPlanPrices } from "#api/billing/plans/find-plan-price.ts";
import { PlanPrice } from "#api/billing/plans/plan-price.entity.ts";
import { PriceQuote } from "#api/billing/plans/plan.resolver.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { loadLicence } from "#api/licensing/licences/list-licences.ts";
import { loadUserById } from "#api/people/users/get-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { PaymentAttempt } from "./payment-attempt.entity.ts";
import { BillingSubscription } from "./subscription.resolver.ts";

const loadPlanPrice = createLoader(
  async ({ em }: Pick<Context, "em">, ids: readonly string[]): Promise<(PlanPrice | null)[]> => {
    const found = await findPlanPrices(em, ids);
    return ids.map((id) => found.get(id) ?? null);
  },
);

@Resolver(() => BillingSubscription)
class BillingSubscriptionLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { nullable: true, description: "The customer." })
  async user(@Root() row: BillingSubscription, @Ctx() context: Context): Promise<User | null> {
    return loadUserById(context, row.userId);
  }

  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence that the subscription pays for." })
  async licence(@Root() row: BillingSubscription, @Ctx() context: Context): Promise<Licence | null> {
    return loadLicence(context, row.licenceId);
  }
}

@Resolver(() => PaymentAttempt)
class PaymentAttemptLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { description: "The customer. For admins only." })
  async user(@Root() row: PaymentAttempt): Promise<User> {
    return loadReference(row.user);
  }
}

@Resolver(() => PriceQuote)
class PriceQuoteLinksResolver {
  @Allow("regular", { scope: "billing:read" })
  @FieldResolver(() => PlanPrice, { nullable: true, description: "The plan price." })
  async planPrice(@Root() row: PriceQuote, @Ctx() context: Context): Promise<PlanPrice | null> {
    return loadPlanPrice(context, row.planPriceId);
  }
}

/** Fields for the object behind each exposed ID (decision 0131). */
export const subscriptionLinks = [
  BillingSubscriptionLinksResolver,
  PaymentAttemptLinksResolver,
  PriceQuoteLinksResolver,
];
