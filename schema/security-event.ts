import { array, boolean, type InferType, number, object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { optionalEnd, optionalMoment } from "./moment.ts";
import { reportFormats } from "./report.ts";
import { line } from "./text.ts";

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
export const securityEventChoiceRules = object({ ...filter, type: line(50) });

/** Rules for the body of `POST /v1/reports/download-security-events`. */
export const securityEventReportRules = object({
  ...filter,
  types: array().of(line(50).required()).max(100).default([]),
  format: string().oneOf(listValues(reportFormats), "Format must be xlsx or csv.").default("csv"),
});

export type SecurityEventFilterValues = InferType<typeof securityEventFilterRules>;
