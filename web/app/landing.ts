import { paths } from "./paths.ts";
import type { Session } from "./session.ts";

/** A signed-out visitor asked for the trial; storage outlives the walk through the mailbox. */
const TRIAL_INTENT_KEY = "xer-portal.trial-intent";

/** Remembers over sign-in or registration that the visitor wanted the trial (spec, public §4). */
export function rememberTrialIntent(): void {
  localStorage.setItem(TRIAL_INTENT_KEY, "true");
}

/** True while a trial is wanted. */
export function hasTrialIntent(): boolean {
  return localStorage.getItem(TRIAL_INTENT_KEY) === "true";
}

/** The wish is granted once the trial page opens. */
export function forgetTrialIntent(): void {
  localStorage.removeItem(TRIAL_INTENT_KEY);
}

/** Where a fresh sign-in leads: remembered trial, return target, home of the account (DOMAIN §7). */
export function landingAfterSignIn(session: Session, returnUrl: string | null): string {
  const { role } = session.claims;
  if (role === "regular" && hasTrialIntent()) return paths.trial.href();
  return returnUrl ?? (role === "admin" ? paths.admin.href() : paths.myAccount.href());
}
