import { paths } from "./paths.ts";
import type { Role, Session } from "./session.ts";
import { browserStorage } from "./storage.ts";

/** Intents are kept in the storage of the browser, because the visitor may continue in a new tab from the confirmation email. */
const TRIAL_INTENT_KEY = "xer-portal.trial-intent";
const PRODUCT_INTENT_KEY = "xer-portal.product-intent";

const ACCEPTED = "accepted";

/** Query of a trial button's link: a visitor who presses it opens Register, and not Login as with the address alone. */
export const NEEDS_ACCOUNT = "account=new";

/** Query of links to Register that belong to a trial. */
export const FOR_TRIAL = "for=trial";

/** Remembers through sign-in or registration that the visitor wants the trial. */
export function rememberTrialIntent(): void {
  if (!hasAcceptedTrial()) browserStorage.set(TRIAL_INTENT_KEY, "true");
}

/**
 * Remembers that the user who is now signed in accepted the terms of the trial with those of the account, so that it starts by
 * itself.
 */
export function rememberAcceptedTrial(): void {
  browserStorage.set(TRIAL_INTENT_KEY, ACCEPTED);
}

export function hasTrialIntent(): boolean {
  return browserStorage.get(TRIAL_INTENT_KEY) !== null;
}

/** Returns whether the terms of the trial were accepted at registration. */
export function hasAcceptedTrial(): boolean {
  return browserStorage.get(TRIAL_INTENT_KEY) === ACCEPTED;
}

/** Clears the trial intent when the trial page opens, or the visitor has subscribed instead. */
export function clearTrialIntent(): void {
  browserStorage.remove(TRIAL_INTENT_KEY);
}

/** Remembers through sign-in or registration which product the visitor wants: a plan's slug or a price id. */
export function rememberProductIntent(productId: string): void {
  browserStorage.set(PRODUCT_INTENT_KEY, productId);
}

/** Returns the product that the visitor wants, or null. */
export function getProductIntent(): string | null {
  return browserStorage.get(PRODUCT_INTENT_KEY) || null;
}

/** Clears the remembered product when its page opens. */
export function clearProductIntent(): void {
  browserStorage.remove(PRODUCT_INTENT_KEY);
}

/** Returns the first page of a role's part of the portal. */
export const getHome = (role: Role | undefined) => (role === "admin" ? paths.admin : paths.myAccount);

/** Returns the page to open after sign-in (docs/domain.md#landing). */
export function getLandingPath(session: Session, returnUrl: string | null): string {
  const { role } = session.claims;
  const productId = role === "regular" ? getProductIntent() : null;
  if (productId) return paths.manageSubscriptionTo.href({ productId });
  if (role === "regular" && hasTrialIntent()) return paths.trial.href();
  return returnUrl ?? getHome(role).href();
}
