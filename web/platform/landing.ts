import { paths } from "./paths.ts";
import type { Session } from "./session.ts";

/** A signed-out visitor asked for the trial or a product; storage outlives the walk through the mailbox. */
const TRIAL_INTENT_KEY = "xer-portal.trial-intent";
const PRODUCT_INTENT_KEY = "xer-portal.product-intent";

/** Remembers over sign-in or registration that the visitor wanted the trial. */
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

/** Remembers over sign-in or registration which product the visitor wanted: a plan's slug or a price id. */
export function rememberProduct(productId: string): void {
  localStorage.setItem(PRODUCT_INTENT_KEY, productId);
}

/** The wanted product; null when there is none. */
export function rememberedProduct(): string | null {
  return localStorage.getItem(PRODUCT_INTENT_KEY) || null;
}

/** The wish is granted once the product's page opens. */
export function forgetProduct(): void {
  localStorage.removeItem(PRODUCT_INTENT_KEY);
}

/** Returns where a fresh sign-in leads (docs/domain.md#landing). */
export function landingAfterSignIn(session: Session, returnUrl: string | null): string {
  const { role } = session.claims;
  const productId = role === "regular" ? rememberedProduct() : null;
  if (productId) return paths.manageSubscriptionTo.href({ productId });
  if (role === "regular" && hasTrialIntent()) return paths.trial.href();
  return returnUrl ?? (role === "admin" ? paths.admin.href() : paths.myAccount.href());
}
