import { array, boolean, type InferType, number, object, string } from "yup";
import { reportFormats } from "#schema/catalogue.ts";
import { listValues } from "#schema/closed-list.ts";
import type { SecurityEventType } from "#schema/security-events.ts";
import { optionalEnd, optionalMoment } from "./moment.ts";
import { line } from "./text.ts";

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
