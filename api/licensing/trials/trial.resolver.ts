import { Arg, Ctx, Field, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { startTrialRules } from "#schema/rules/account.ts";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { checkTrial, type TrialState } from "./check-trial.ts";
import { startTrial } from "./start-trial.ts";

@ObjectType({ description: "Whether the signed-in customer may start a trial." })
export class TrialEligibility implements TrialState {
  @Field(() => Boolean, { description: "This person had their one trial." })
  hasCompletedTrial!: boolean;

  @Field(() => Boolean)
  hasActiveSubscription!: boolean;

  @Field(() => Licence, { nullable: true, description: "The licence of this account's trial, running or ended." })
  licence!: Licence | null;

  @Field(() => Int, {
    nullable: true,
    description: "Days left of the running trial, rounded up; null while none runs.",
  })
  daysLeft!: number | null;
}

@Resolver()
export class TrialResolver {
  @Allow("regular")
  @Query(() => TrialEligibility)
  async trialEligibility(@Ctx() context: Context): Promise<TrialEligibility> {
    return checkTrial(context);
  }

  @Allow("regular")
  @Mutation(() => Licence, { description: "Starts the customer's one trial and mails its licence code." })
  async startTrial(
    @Arg("acceptedTheTerms", () => Boolean) acceptedTheTerms: boolean,
    @Ctx() context: Context,
  ): Promise<Licence> {
    check(startTrialRules, { acceptedTheTerms });
    return startTrial(context);
  }
}
