import { array, boolean, type InferType, number, object, string } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { endAfterFrom, optionalEnd, optionalMoment } from "./moment.ts";
import { reportPeriod } from "./report.ts";
import { line } from "./text.ts";

/** Types of security events (docs/security.md). */
export const securityEventTypes = defineList("SecurityEventType", "The type of a security event.", {
  SIGN_IN_SUCCEEDED: ["sign-in.succeeded", "Signed in", "A user signed in."],
  SIGN_IN_FAILED: ["sign-in.failed", "Sign-in failed", "A sign-in failed."],
  SIGN_IN_LOCKED: [
    "sign-in.locked",
    "Sign-in locked after wrong attempts",
    "Sign-ins were locked after too many wrong attempts.",
  ],
  REFRESH_REFUSED: [
    "refresh.refused",
    "Expired or unknown session refused",
    "An expired or unknown refresh token was refused.",
  ],
  REFRESH_REUSED: [
    "refresh.reused",
    "Stolen session token suspected",
    "A refresh token was used a second time, which ends its session.",
  ],
  PERMISSION_REFUSED: ["permission.refused", "Permission refused", "A request was refused for lack of a permission."],
  STEP_UP_REQUIRED: ["step-up.required", "Proof of identity required", "An operation required a proof of identity."],
  STEP_UP_SUCCEEDED: ["step-up.succeeded", "Identity proved", "A user proved their identity."],
  STEP_UP_FAILED: ["step-up.failed", "Proof of identity failed", "A proof of identity failed."],
  VIEW_AS_STARTED: [
    "view-as.started",
    "Started viewing as a customer",
    "An admin started viewing the portal as a customer.",
  ],
  VIEW_AS_ENDED: [
    "view-as.ended",
    "Stopped viewing as a customer",
    "An admin stopped viewing the portal as a customer.",
  ],
  ROLE_CHANGED: ["role.changed", "Role changed", "The role of a user changed."],
  KEY_CHANGED: ["key.changed", "Key changed", "A key of the installation changed."],
  BUILD_PUBLISHED: ["build.published", "Build published", "A build was published."],
  BUILD_ROLLED_BACK: ["build.rolled-back", "Build rolled back", "A stage went back to an earlier build."],
  BUILD_WITHDRAWN: ["build.withdrawn", "Build withdrawn", "A build was withdrawn."],
  DATABASE_RESTORED: ["database.restored", "Backup restored", "A backup was restored."],
  PAYMENT_NOTICE_FORGED: [
    "payment-notice.forged",
    "Forged payment notice refused",
    "A payment notice with a wrong signature was refused.",
  ],
  ACCOUNT_SECURED: [
    "account.secured",
    "“This wasn't me” reported",
    "A user reported something that they didn't do, which secured the account.",
  ],
  EXPORT_MADE: ["export.made", "Data exported", "Data was exported."],
});
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

const LONGEST_NAME = 200;

const name = () => string().max(LONGEST_NAME).required();
const createChoice = <const Value extends string>(...values: Value[]) => string().oneOf(values).required();
const client = () => createChoice("portal", "addin");

const build = object({ buildId: name(), stage: name(), version: name() });

/**
 * Rules for the detail of each type of security event. A detail consists of ids, names of operations and fixed words,
 * never of names or addresses of users, passwords, tokens or codes.
 */
export const securityEventRules = {
  "sign-in.succeeded": object({ client: client(), twoStep: boolean().required() }),
  "sign-in.failed": object({
    client: client(),
    reason: createChoice("wrong-password", "wrong-code", "wrong-network", "not-confirmed", "not-active"),
  }),
  "sign-in.locked": object({
    limit: createChoice("email", "address", "code"),
    seconds: number().integer().min(0).required(),
  }),
  "refresh.refused": object({ reason: createChoice("unknown", "expired", "ended") }),
  "refresh.reused": object({ sessionId: name() }),
  "permission.refused": object({ operation: name(), reason: name() }),
  "step-up.required": object({ operation: name() }),
  "step-up.succeeded": object({ method: createChoice("password", "two-step") }),
  "step-up.failed": object({ method: createChoice("password", "two-step") }),
  "view-as.started": object({ sessionId: name(), until: name() }),
  "view-as.ended": object({ sessionId: name(), reason: createChoice("by-admin", "by-time", "with-session") }),
  "role.changed": object({ before: name(), after: name() }),
  "key.changed": object({
    ring: createChoice("signing", "encryption", "release"),
    change: createChoice("added", "promoted", "removed"),
    keyId: name(),
  }),
  "build.published": build,
  "build.rolled-back": build,
  "build.withdrawn": build,
  "database.restored": object({ backupAt: name() }),
  "payment-notice.forged": object({ reason: createChoice("signature") }),
  "account.secured": object({
    from: createChoice("portal", "email"),
    sessionsEnded: number().integer().required(),
    tokensRevoked: number().integer().required(),
    webhooksPaused: number().integer().required(),
  }),
  "export.made": object({
    kind: createChoice("report", "my-data", "audit", "security-events"),
    format: createChoice("csv", "xlsx", "json"),
    name: string().max(LONGEST_NAME),
  }),
} as const satisfies Record<SecurityEventType, object>;

/** The detail of each type of security event. */
export type SecurityEventDetails = {
  [Type in SecurityEventType]: InferType<(typeof securityEventRules)[Type]>;
};

const filter = { userId: line(50), address: line(50), from: optionalMoment(), to: optionalEnd(), search: line(200) };

/** Rules for the filter of the security events. */
export const securityEventFilterRules = object(filter);
/** Rules for the filter on the page, which selects one type. */
export const securityEventChoiceRules = object({ ...filter, to: endAfterFrom(), type: line(50) });

/** Rules for the body of `POST /v1/reports/download-security-events`. */
export const securityEventReportRules = object({
  ...filter,
  types: array().of(line(50).required()).max(100).default([]),
  format: reportPeriod.format.default("csv"),
});

export type SecurityEventFilterValues = InferType<typeof securityEventFilterRules>;
