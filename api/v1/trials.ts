import { checkTrial } from "#api/licensing/trials/check-trial.ts";
import { startTrial } from "#api/licensing/trials/start-trial.ts";
import type { Context } from "#api/platform/context.ts";
import { describedText, flag } from "#api/platform/http/json-types.ts";
import { markDeprecated } from "./deprecation.ts";
import { exampleLicenceCode } from "./examples.ts";
import { defineRoute } from "./define-route.ts";

const createTrial = {
  url: "/v1/subscriptions/create-trial",
  operation: "Mutation.startTrial",
  tag: "Trial",
  headers: { "cache-control": "no-store" },
  response: describedText("The licence code"),
  example: exampleLicenceCode,
  errors: ["CONFLICT"],
  handler: async ({ context }: { context: Context }) => (await startTrial(context)).licenceCode,
} as const;

export const trialRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/subscriptions/check-trial",
    operation: "Query.trialEligibility",
    tag: "Trial",
    summary: "Check whether you have had a trial. Returns true if you can't start another one",
    response: flag,
    example: false,
    handler: async ({ context }) => (await checkTrial(context)).hasCompletedTrial,
  }),
  defineRoute({ ...createTrial, method: "POST", summary: "Start a trial. Returns the licence code" }),
  defineRoute({
    ...createTrial,
    ...markDeprecated(
      { since: "2026-11-22", instead: "Use POST. A GET request should not change anything." },
      createTrial.headers,
    ),
    method: "GET",
    summary: "For existing clients only. Behaves like POST",
  }),
];
