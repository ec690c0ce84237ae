import type { LicenceWarning, ResultCodeName } from "./result-code.ts";

/** Address of the knowledge base on the site. */
const knowledgeBasePath = "/resources-and-support/knowledge-base/";

/** The article of the knowledge base about each result code and warning: an `anchor` in `web/site/content/articles`. */
export const helpArticles: Readonly<Record<ResultCodeName | LicenceWarning, string>> = {
  VALID: "what-the-add-in-checks",
  FAILED: "request-failed",
  DEACTIVATION_LIMIT_EXCEEDED: "deactivation-limit",
  LICENCE_NOT_FOUND: "licence-code-not-known",
  ACCOUNT_INACTIVE: "account-not-active",
  LICENCE_REVOKED: "licence-deactivated",
  LICENCE_SUSPENDED: "licence-suspended",
  LICENCE_EXPIRED: "licence-expired",
  MACHINE_BLOCKED: "device-blocked",
  NOT_ACTIVATED: "activate-with-a-code",
  MACHINE_LIMIT_EXCEEDED: "device-limit-reached",
  FINGERPRINT_MISMATCH: "activation-of-another-device",
  VM_NOT_ALLOWED: "virtual-machines",
  MACHINE_OFFLINE_LOCKED: "offline-file-locks-device",
  NO_SEATS_AVAILABLE: "no-seat-available",
  LEASE_EXPIRED: "seat-lapsed",
  LEASE_NOT_FOUND: "seat-lapsed",
  TRIAL_ALREADY_USED: "trial-already-used",
  USAGE_LIMIT_REACHED: "conversions-used-up",
  FEATURE_NOT_LICENSED: "feature-not-in-level",
  VERSION_NOT_SUPPORTED: "version-not-supported",
  PAYMENT_OVERDUE: "payment-overdue",
  EXPIRING_SOON: "licence-expired",
  CLOCK_SKEW: "clock-is-wrong",
  UPDATE_AVAILABLE: "install-an-update",
};

/** Returns the path of the article about a result code or warning. */
export function getHelpPath(code: ResultCodeName | LicenceWarning): string {
  return `${knowledgeBasePath}${helpArticles[code]}/`;
}
