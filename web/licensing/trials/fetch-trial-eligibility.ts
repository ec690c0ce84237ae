import { postGraphql } from "#web/platform/post-graphql.ts";
import { getAccessToken } from "#web/platform/refresh-session.ts";
import type { TrialStandingQuery } from "#web/generated/graphql.ts";
import standingOperation from "operation:TrialStanding";

/** Fetches the trial status of the signed-in customer, or null without a session. Loaded only for customers, to keep public pages small. */
export async function fetchTrialEligibility(): Promise<TrialStandingQuery["trialEligibility"] | null> {
  const token = await getAccessToken(true);
  if (!token) return null;
  return (await postGraphql(standingOperation, {}, token)).trialEligibility;
}
