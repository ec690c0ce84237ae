import { postGraphql } from "#web/platform/post-graphql.ts";
import { accessToken } from "#web/platform/refresh-session.ts";
import type { TrialStandingQuery } from "#web/generated/graphql.ts";
import standingOperation from "./trial-standing.graphql?operation";

/** Fetches the signed-in customer's trial; null without a session. Loaded for customers alone, to keep public pages light. */
export async function fetchTrialEligibility(): Promise<TrialStandingQuery["trialEligibility"] | null> {
  const token = await accessToken();
  if (!token) return null;
  return (await postGraphql<TrialStandingQuery>(standingOperation, {}, token)).trialEligibility;
}
