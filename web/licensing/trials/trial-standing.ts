import { useEffect, useSyncExternalStore } from "react";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import type { TrialStandingQuery } from "#web/generated/graphql.ts";
import { formatDateTime } from "#schema/dates.ts";

/** What the portal knows of the signed-in customer's trial. */
export type TrialStanding = TrialStandingQuery["trialEligibility"];

/** How long an answer is used before it is fetched again. */
const KEPT_MS = 60_000;

let kept: { userId: string; standing: TrialStanding; fetchedAt: number } | null = null;
let fetching: string | null = null;
const listeners = new Set<() => void>();

/** Returns the signed-in customer's trial; null for visitors, for other users, and until it is known. */
export function useTrialStanding(): TrialStanding | null {
  const claims = useSession()?.claims;
  const userId = claims?.role === "regular" ? claims.id : null;
  useEffect(() => {
    if (userId) void fetchStanding(userId);
  }, [userId]);
  return useSyncExternalStore(
    subscribe,
    () => (kept && kept.userId === userId ? kept.standing : null),
    () => null,
  );
}

/** Drops the known trial, after one was started. */
export function forgetTrialStanding(): void {
  kept = null;
  for (const listener of listeners) listener();
}

/** Returns whether the customer can still start a trial; offers stay as they are while that is not known. */
export function mayStartTrial(standing: TrialStanding | null): boolean {
  return !standing || !(standing.hasCompletedTrial || standing.hasActiveSubscription);
}

interface OfferedLink {
  readonly label: string;
  readonly to: string;
}

const offers: readonly string[] = [paths.trial.href(), `/trial-${brand.segment}/`];

/** Returns whether a link offers to start a trial. */
export function isTrialLink({ to }: OfferedLink): boolean {
  return offers.includes(to);
}

/** Returns the link to show in place of one that offers a trial: to My Account for customers who can't start one. */
export function useTrialOffer<TLink extends OfferedLink>(link: TLink): TLink {
  const standing = useTrialStanding();
  if (!isTrialLink(link) || mayStartTrial(standing)) return link;
  const daysLeft = standing?.daysLeft ?? null;
  const label = daysLeft === null ? "Go to My Account" : `Your trial: ${daysLeftInWords(daysLeft)}`;
  return { ...link, label, to: paths.myAccount.href() };
}

/** Returns `1 day left` or `12 days left`. */
export function daysLeftInWords(days: number): string {
  return `${days} ${days === 1 ? "day" : "days"} left`;
}

/** Fetches the standing; the offers stay where that fails, as the trial's own page decides. */
async function fetchStanding(userId: string): Promise<void> {
  if (fetching === userId || (kept?.userId === userId && Date.now() - kept.fetchedAt < KEPT_MS)) return;
  fetching = userId;
  try {
    const { fetchTrialEligibility } = await import("./fetch-trial-eligibility.ts");
    const standing = await fetchTrialEligibility();
    if (!standing) return;
    kept = { userId, standing, fetchedAt: Date.now() };
    for (const listener of listeners) listener();
  } catch {
    // The next page tries again.
  } finally {
    if (fetching === userId) fetching = null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns what is left of a running trial: `12 days left, until 9 Mar 2027, 2:05 pm AEST. 17 of 20 conversions left.` */
export function trialInWords(standing: Pick<TrialStanding, "daysLeft" | "licence">): string {
  const { daysLeft, licence } = standing;
  if (daysLeft === null || !licence) return "";
  const days = `${daysLeftInWords(daysLeft)}, until ${formatDateTime(licence.expiresAt)}.`;
  if (typeof licence.usageLimit !== "number") return days;
  return `${days} ${licence.usageRemaining} of ${licence.usageLimit} conversions left.`;
}
