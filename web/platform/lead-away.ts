import { type ErrorReason, VIEW_ONLY } from "#schema/error-codes.ts";
import { notify } from "./notifications.ts";
import { currentPlace, goTo } from "./navigator.ts";
import { paths } from "./paths.ts";

/**
 * Where FORBIDDEN leads: to the 403 page. An admin who has yet to set two-step sign-in up is led there, with the place
 * to come back to. One who views the portal as a customer stays, and is told that nothing can be changed.
 */
export function leadAway(reason: unknown): void {
  if (reason === ("VIEW_ONLY" satisfies ErrorReason)) notify.error(VIEW_ONLY);
  else if (reason === ("SET_UP_TWO_STEP" satisfies ErrorReason))
    goTo(paths.twoStepSignIn.href(), { replace: true, state: { from: currentPlace() } });
  else goTo(paths.error403.href(), { replace: true });
}
