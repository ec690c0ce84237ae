import { useEffect } from "react";
import { brand } from "#schema/brand.ts";
import { NEEDS_ACCOUNT } from "#web/platform/landing.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { createStore } from "#web/platform/store.ts";
import type { TrialStandingQuery } from "#web/generated/graphql.ts";

export type TrialStatus = TrialStandingQuery["trialEligibility"];

/** Time for which the status is cached, in milliseconds. */
const CACHE_MS = 60_000;

const cached = createStore<{ userId: string; trialStatus: TrialStatus; fetchedAt: number } | null>(null);
let fetchingUserId: string | null = null;

/** Returns the trial status of the signed-in customer. Null for visitors and other users, and until it has been fetched. */
export function useTrialStatus(): TrialStatus | null {
  const claims = useSession()?.claims;
  const userId = claims?.role === "regular" ? claims.id : null;
  useEffect(() => {
    if (userId) void fetchTrialStatus(userId);
  }, [userId]);
  const known = cached.use();
  return known && known.userId === userId ? known.trialStatus : null;
}

/** Clears the cached status after a trial was started. A request that is still running doesn't count. */
export function clearTrialStatus(): void {
  fetchingUserId = null;
  cached.set(null);
}

/** Returns whether the customer can start a trial. True while the status is unknown, so that offers stay visible. */
export function canStartTrial(trialStatus: TrialStatus | null): boolean {
  return !trialStatus || !(trialStatus.hasCompletedTrial || trialStatus.hasActiveSubscription);
}

interface OfferedLink {
  readonly label: string;
  readonly to: string;
}

const trialPaths: readonly string[] = [paths.trial.href(), `/trial-${brand.segment}/`];

/** Address of the trial for a visitor who has no account yet. It also works as a plain link, before the page's scripts run. */
const startTrialHref = `${paths.trial.href()}?${NEEDS_ACCOUNT}`;

/** Returns whether a link offers to start a trial. */
export function isTrialLink({ to }: OfferedLink): boolean {
  return trialPaths.includes(to);
}

/**
 * Returns the link to show instead of a trial offer: My Account for customers who can't start a trial, and for others an
 * address that leads visitors to Register.
 */
export function useTrialLink<TLink extends OfferedLink>(link: TLink): TLink {
  const trialStatus = useTrialStatus();
  if (!isTrialLink(link)) return link;
  if (canStartTrial(trialStatus)) return link.to === paths.trial.href() ? { ...link, to: startTrialHref } : link;
  const daysLeft = trialStatus?.daysLeft ?? null;
  const label = daysLeft === null ? "Go to My Account" : `Your trial: ${formatDaysLeft(daysLeft)}`;
  return { ...link, label, to: paths.myAccount.href() };
}

/** Returns `1 day left` or `12 days left`. */
export function formatDaysLeft(days: number): string {
  return `${days} ${days === 1 ? "day" : "days"} left`;
}

/** Fetches the status. If that fails, offers stay visible, and the trial page makes the final decision. */
async function fetchTrialStatus(userId: string): Promise<void> {
  const known = cached.get();
  if (fetchingUserId === userId || (known?.userId === userId && Date.now() - known.fetchedAt < CACHE_MS)) return;
  fetchingUserId = userId;
  try {
    const { fetchTrialEligibility } = await import("./fetch-trial-eligibility.ts");
    const trialStatus = await fetchTrialEligibility();
    if (!trialStatus || fetchingUserId !== userId) return;
    cached.set({ userId, trialStatus, fetchedAt: Date.now() });
  } catch {
    // The next page retries the request.
  } finally {
    if (fetchingUserId === userId) fetchingUserId = null;
  }
}
