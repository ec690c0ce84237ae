import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { startTrialRules } from "#schema/account.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { checkTrial, TrialEligibility } from "./check-trial.ts";
import { startTrial } from "./start-trial.ts";

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
