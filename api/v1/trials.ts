import { checkTrial } from "#api/licensing/trials/check-trial.ts";
import { startTrial } from "#api/licensing/trials/start-trial.ts";
import type { Context } from "#api/platform/context.ts";
import { textOf, truth } from "#api/platform/json-shapes.ts";
import { deprecated } from "./deprecation.ts";
import { exampleLicenceCode } from "./examples.ts";
import { defineRoute } from "./frame.ts";

const createTrial = {
  url: "/v1/subscriptions/create-trial",
  operation: "Mutation.startTrial",
  allow: "regular",
  tag: "Trial",
  headers: { "cache-control": "no-store" },
  answer: textOf("The licence code"),
  example: exampleLicenceCode,
  errors: ["CONFLICT"],
  handler: async ({ context }: { context: Context }) => (await startTrial(context)).licenceCode,
} as const;

/** The free trial. */
export const trialRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/subscriptions/check-trial",
    operation: "Query.trialEligibility",
    allow: "regular",
    tag: "Trial",
    summary: "Whether this person had their one trial",
    answer: truth,
    example: false,
    handler: async ({ context }) => (await checkTrial(context)).hasCompletedTrial,
  }),
  defineRoute({ ...createTrial, method: "POST", summary: "Start the trial; answers the licence code" }),
  defineRoute({
    ...createTrial,
    ...deprecated({ since: "2026-11-22", instead: "Use POST: a GET should change nothing." }, createTrial.headers),
    method: "GET",
    summary: "The same for documented clients; POST is the canonical call",
  }),
];
