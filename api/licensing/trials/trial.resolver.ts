import { Arg, Ctx, Field, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { startTrialRules } from "#schema/account.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { checkTrial, type TrialState } from "./check-trial.ts";
import { startTrial } from "./start-trial.ts";

@VisibleTo("regular")
@ObjectType({ description: "Trial eligibility of the signed-in customer." })
export class TrialEligibility implements TrialState {
  @Field(() => Boolean, {
    description:
      "Whether the customer has already had a trial, with this account, another email address, or one of their devices.",
  })
  hasCompletedTrial!: boolean;

  @Field(() => Boolean, { description: "Whether the customer has an active subscription and so can't start a trial." })
  hasActiveSubscription!: boolean;

  @Scope("licences:read")
  @Field(() => Licence, { nullable: true, description: "The account's trial licence, active or ended." })
  licence!: Licence | null;

  @Field(() => Int, {
    nullable: true,
    description: "Number of days left in the active trial, rounded up. Null if there is no active trial.",
  })
  daysLeft!: number | null;
}

@Resolver()
export class TrialResolver {
  @Allow("regular", { scope: "billing:read" })
  @Query(() => TrialEligibility, { description: "Returns whether the signed-in customer can start a trial." })
  async trialEligibility(@Ctx() context: Context): Promise<TrialEligibility> {
    return checkTrial(context);
  }

  @Allow("regular", { scope: "session" })
  @Mutation(() => Licence, { description: "Starts the customer's trial and emails the licence code." })
  async startTrial(
    @Arg("acceptedTheTerms", () => Boolean, { description: "Whether the customer accepted the terms. Must be true." })
    acceptedTheTerms: boolean,
    @Ctx() context: Context,
  ): Promise<Licence> {
    check(startTrialRules, { acceptedTheTerms });
    return startTrial(context);
  }
}
