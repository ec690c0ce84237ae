import { useEffect, useState } from "react";
import {
  clearProductIntent,
  FOR_TRIAL,
  getProductIntent,
  hasTrialIntent,
  rememberTrialIntent,
} from "#web/platform/landing.ts";

/** What a visitor wants an account for: the trial, or a plan. */
export type SignUpIntent = "trial" | "plan";

/** Titles of Register and Login by intent. */
export const intentTitles: Readonly<Record<SignUpIntent, string>> = {
  trial: "Create your account to start the trial",
  plan: "Create your account to subscribe",
};

/**
 * Returns what the visitor wants, by the page's address and earlier pages: what opens after the sign-in. Null on the prerendered
 * page.
 */
export function useSignUpIntent(): SignUpIntent | null {
  const [intent, setIntent] = useState<SignUpIntent | null>(null);
  useEffect(() => {
    if (window.location.search.slice(1).split("&").includes(FOR_TRIAL)) {
      rememberTrialIntent();
      // A plan that the visitor chose before would open instead.
      clearProductIntent();
    }
    setIntent(getProductIntent() ? "plan" : hasTrialIntent() ? "trial" : null);
  }, []);
  return intent;
}
