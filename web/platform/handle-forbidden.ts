import { type ErrorReason, VIEW_ONLY } from "#schema/error-codes.ts";
import { notify } from "./notifications.ts";
import { getCurrentPlace, goTo } from "./navigator.ts";
import { paths } from "./paths.ts";

/**
 * Handles FORBIDDEN: opens the 403 page or, for an admin who still has to set up two-step sign-in, the page for that,
 * which then returns to the current page. An admin who is viewing the portal as a customer stays on the page and sees a
 * message that nothing can be changed.
 */
export function handleForbidden(reason: unknown): void {
  if (reason === ("VIEW_ONLY" satisfies ErrorReason)) notify.error(VIEW_ONLY);
  else if (reason === ("SET_UP_TWO_STEP" satisfies ErrorReason))
    goTo(paths.twoStepSignIn.href(), { replace: true, state: { from: getCurrentPlace() } });
  else goTo(paths.error403.href(), { replace: true });
}
