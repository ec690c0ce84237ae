import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { startTrialRules } from "#schema/account.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { checkTrial, TrialEligibility } from "./check-trial.ts";
import { startTrial } from "./start-trial.ts";
import { describedText, flag, routesOf } from "#api/platform/http/define-route.ts";
import { exampleLicenceCode } from "#api/platform/http/route-examples.ts";

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

const createTrial = {
  operation: "Mutation.startTrial",
  headers: { "cache-control": "no-store" },
  response: describedText("The licence code"),
  example: exampleLicenceCode,
  errors: ["CONFLICT"],
  handler: async ({ context }: { context: Context }) => (await startTrial(context)).licenceCode,
} as const;

const defineRoute = routesOf("Trial");

export const trialRoutes = [
  defineRoute("GET /v1/subscriptions/check-trial", {
    operation: "Query.trialEligibility",
    summary: "Check whether you have had a trial. Returns true if you can't start another one",
    response: flag,
    example: false,
    handler: async ({ context }) => (await checkTrial(context)).hasCompletedTrial,
  }),
  defineRoute("POST /v1/subscriptions/create-trial", {
    ...createTrial,
    summary: "Start a trial. Returns the licence code",
  }),
  defineRoute("GET /v1/subscriptions/create-trial", {
    ...createTrial,
    deprecated: { since: "2026-11-22", instead: "Use POST. A GET request should not change anything." },
    summary: "For existing clients only. Behaves like POST",
  }),
];
