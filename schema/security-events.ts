/** Types of security events (docs/security.md), with their labels. */
export const securityEventTypes = {
  "sign-in.succeeded": "Signed in",
  "sign-in.failed": "Sign-in failed",
  "sign-in.locked": "Sign-in locked after wrong attempts",
  "refresh.refused": "Expired or unknown session refused",
  "refresh.reused": "Stolen session token suspected",
  "permission.refused": "Permission refused",
  "step-up.required": "Proof of identity required",
  "step-up.succeeded": "Identity proved",
  "step-up.failed": "Proof of identity failed",
  "view-as.started": "Started viewing as a customer",
  "view-as.ended": "Stopped viewing as a customer",
  "role.changed": "Role changed",
  "key.changed": "Key changed",
  "build.published": "Build published",
  "build.rolled-back": "Build rolled back",
  "build.withdrawn": "Build withdrawn",
  "database.restored": "Backup restored",
  "payment-notice.forged": "Forged payment notice refused",
  "export.made": "Data exported",
} as const;

export type SecurityEventType = keyof typeof securityEventTypes;

/** Labels of the fields in an event's detail. */
export const securityDetailLabels: Readonly<Record<string, string>> = {
  client: "App",
  twoStep: "Two-step sign-in",
  reason: "Reason",
  limit: "Limit",
  seconds: "Locked for (seconds)",
  sessionId: "Session",
  operation: "Operation",
  method: "Method",
  until: "Until",
  before: "Before",
  after: "After",
  ring: "Key ring",
  change: "Change",
  keyId: "Key",
  buildId: "Build",
  stage: "Stage",
  version: "Version",
  backupAt: "Time of the backup",
  kind: "Export",
  format: "Format",
  name: "Name",
  from: "From",
  to: "To",
};

/** Labels of the values in an event's detail. Other values are shown as they are. */
export const securityValueLabels: Readonly<Record<string, string>> = {
  portal: "Portal",
  addin: "Add-in",
  "wrong-password": "Wrong password",
  "wrong-code": "Wrong code or passkey",
  "not-confirmed": "Email not confirmed",
  "not-active": "Account not active",
  unknown: "Unknown token",
  expired: "Expired token",
  ended: "Ended session",
  email: "Attempts on one account",
  address: "Attempts from one IP address",
  code: "Wrong codes on one account",
  password: "Password",
  "two-step": "Two-step code or passkey",
  signature: "Invalid signature",
  signing: "Signing",
  encryption: "Encryption",
  release: "Release",
  added: "Added",
  promoted: "Promoted",
  removed: "Removed",
  "by-admin": "Ended by the admin",
  "by-time": "Time ran out",
  "with-session": "The admin's session ended",
};

/** Number of days for which security events are kept (docs/security.md). */
export const SECURITY_EVENT_DAYS = 400;
