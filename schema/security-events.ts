import { defineList, type ValueOf } from "./closed-list.ts";

/** Types of security events (docs/security.md). */
export const securityEventTypes = defineList("SecurityEventType", "The type of a security event.", [
  { code: "SIGN_IN_SUCCEEDED", value: "sign-in.succeeded", label: "Signed in", description: "A user signed in." },
  { code: "SIGN_IN_FAILED", value: "sign-in.failed", label: "Sign-in failed", description: "A sign-in failed." },
  {
    code: "SIGN_IN_LOCKED",
    value: "sign-in.locked",
    label: "Sign-in locked after wrong attempts",
    description: "Sign-ins were locked after too many wrong attempts.",
  },
  {
    code: "REFRESH_REFUSED",
    value: "refresh.refused",
    label: "Expired or unknown session refused",
    description: "An expired or unknown refresh token was refused.",
  },
  {
    code: "REFRESH_REUSED",
    value: "refresh.reused",
    label: "Stolen session token suspected",
    description: "A refresh token was used a second time, which ends its session.",
  },
  {
    code: "PERMISSION_REFUSED",
    value: "permission.refused",
    label: "Permission refused",
    description: "A request was refused for lack of a permission.",
  },
  {
    code: "STEP_UP_REQUIRED",
    value: "step-up.required",
    label: "Proof of identity required",
    description: "An operation required a proof of identity.",
  },
  {
    code: "STEP_UP_SUCCEEDED",
    value: "step-up.succeeded",
    label: "Identity proved",
    description: "A user proved their identity.",
  },
  {
    code: "STEP_UP_FAILED",
    value: "step-up.failed",
    label: "Proof of identity failed",
    description: "A proof of identity failed.",
  },
  {
    code: "VIEW_AS_STARTED",
    value: "view-as.started",
    label: "Started viewing as a customer",
    description: "An admin started viewing the portal as a customer.",
  },
  {
    code: "VIEW_AS_ENDED",
    value: "view-as.ended",
    label: "Stopped viewing as a customer",
    description: "An admin stopped viewing the portal as a customer.",
  },
  { code: "ROLE_CHANGED", value: "role.changed", label: "Role changed", description: "The role of a user changed." },
  {
    code: "KEY_CHANGED",
    value: "key.changed",
    label: "Key changed",
    description: "A key of the installation changed.",
  },
  {
    code: "BUILD_PUBLISHED",
    value: "build.published",
    label: "Build published",
    description: "A build was published.",
  },
  {
    code: "BUILD_ROLLED_BACK",
    value: "build.rolled-back",
    label: "Build rolled back",
    description: "A stage went back to an earlier build.",
  },
  {
    code: "BUILD_WITHDRAWN",
    value: "build.withdrawn",
    label: "Build withdrawn",
    description: "A build was withdrawn.",
  },
  {
    code: "DATABASE_RESTORED",
    value: "database.restored",
    label: "Backup restored",
    description: "A backup was restored.",
  },
  {
    code: "PAYMENT_NOTICE_FORGED",
    value: "payment-notice.forged",
    label: "Forged payment notice refused",
    description: "A payment notice with a wrong signature was refused.",
  },
  {
    code: "ACCOUNT_SECURED",
    value: "account.secured",
    label: "“This wasn't me” reported",
    description: "A user reported something that they didn't do, which secured the account.",
  },
  { code: "EXPORT_MADE", value: "export.made", label: "Data exported", description: "Data was exported." },
] as const);
export type SecurityEventType = ValueOf<typeof securityEventTypes>;

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
  sessionsEnded: "Sessions ended",
  tokensRevoked: "Tokens revoked",
  webhooksPaused: "Webhook endpoints turned off",
  to: "To",
};

/** Labels of the values in an event's detail. Other values are shown as they are. */
export const securityValueLabels: Readonly<Record<string, string>> = {
  portal: "Portal",
  addin: "Add-in",
  "wrong-password": "Wrong password",
  "wrong-code": "Wrong code or passkey",
  "wrong-network": "Not from a network of staff",
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
