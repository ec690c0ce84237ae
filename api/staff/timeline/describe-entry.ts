import { labelCancellationReason } from "#schema/subscription.ts";
import { productLevels } from "#schema/product-level.ts";
import { ResultCode } from "#schema/result-code.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { findLabel } from "#schema/closed-list.ts";
import { describeLicenceEventResult, labelLicenceEvent, isLicenceChange } from "#schema/licence-history.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { documentKinds } from "#schema/manual-invoice.ts";
import { formatAud } from "#schema/money.ts";
import { createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { auditActionList } from "#api/audit/change-log/audit-actions.ts";
import { AuditChange, describeChanges } from "#api/staff/audit-log/audit.resolver.ts";
import type { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import { getResultCodeName } from "#api/licensing/licences/licence-answer.ts";
import { formatPlanPriceId, type PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { TimelineKind } from "./timeline-sources.ts";
import { type TimelineTone, timelineTones } from "#schema/timeline.ts";

export const TimelineEntry = createType("TimelineEntry", "admin", "An event in the history of a user's account.", {
  id: field.id("Unique ID."),
  kind: field.code(TimelineKind, "The topic of the event."),
  at: field.moment("The time of the event, in UTC."),
  title: field.text("A short description of the event."),
  subject: fieldOrNull.text("The machine, contact, invoice or licence that the event concerns."),
  detail: fieldOrNull.text("Additional details, such as the result, the amount or the browser."),
  tone: field.choice<TimelineTone>(timelineTones),
  actorName: fieldOrNull.text("The member of staff who made the change."),
  count: field.integer("Number of identical requests from `at` to `lastAt`."),
  lastAt: fieldOrNull.moment("The time of the last identical request, in UTC. Null if there was only one."),
  licenceId: fieldOrNull.id("The licence that the event concerns."),
  supportCode: fieldOrNull.text("The level and support code of the licence."),
  changes: field.list(() => AuditChange, "The fields that a member of staff changed.", { access: Scope("users:read") }),
});
export type TimelineEntry = InstanceType<typeof TimelineEntry>;

/** Text of a timeline entry. */
type EntryDescription = Pick<TimelineEntry, "title" | "tone"> & Partial<Omit<TimelineEntry, "id" | "kind" | "at">>;

/** Plan prices by the id or slug that entries contain. */
type PlanPrices = ReadonlyMap<string, PlanPrice>;

interface EventFacts {
  kind: string;
  resultCode: number;
  count: number;
  lastAtMs: number;
  machineName: string | null;
  ip: string | null;
  licenceId: string;
  supportCode: string;
  productLevel: number;
}

interface SubscriptionFacts {
  what: string;
  planPrice: string;
  dueCents?: number;
  /** Time at which a pause ends. */
  until?: string | null;
  reason?: string | null;
  comment?: string | null;
}

interface PaymentFacts {
  amountCents: number;
  reason: string | null;
  number: number;
  nextRetryAt: string | null;
  cardLast4: string | null;
}

type AuditFacts = Pick<AuditEntry, "action" | "actorName" | "subjectType" | "subjectName" | "before" | "after">;

const accountTitles: Readonly<Record<string, string>> = {
  "1-registered": "Registered",
  "2-confirmed": "Confirmed the email address",
  "3-deleted": "Deleted the account",
};

const subscriptionTitles: Readonly<Record<string, string>> = {
  "1-started": "Subscribed",
  "2-ended": "Subscription ended",
  changed: "Changed the plan",
  cancelled: "Cancelled the subscription",
  resumed: "Resumed the subscription",
  paused: "Paused the subscription",
  unpaused: "The pause of the subscription ended",
};

/** Description of each kind. Its facts come from the source of the same kind in timeline-sources.ts. */
export const describeEntry: Record<TimelineKind, (facts: never, planPrices: PlanPrices) => EntryDescription> = {
  ACCOUNT: ({ what }: { what: string }) => ({ title: accountTitles[what] ?? what, tone: "change" }),
  SIGN_IN: ({ userAgent, ip }: { userAgent: string; ip: string }) => ({
    title: "Signed in",
    detail: `${describeDevice(userAgent)}${ip ? ` from ${ip}` : ""}`,
    tone: "granted",
  }),
  LICENCE: (facts: EventFacts) => {
    const { kind, resultCode, machineName, ip } = facts;
    const isRefusal = resultCode !== ResultCode.VALID;
    return {
      title: labelLicenceEvent(kind),
      subject: machineName === null ? null : formatMachineName(machineName),
      detail: `${describeLicenceEventResult(kind, getResultCodeName(resultCode))}${isRefusal && ip ? ` Requested from ${ip}.` : ""}`,
      tone: isRefusal ? "refused" : isLicenceChange(kind) ? "change" : "granted",
      count: facts.count,
      lastAt: facts.count > 1 ? new Date(facts.lastAtMs) : null,
      licenceId: facts.licenceId,
      supportCode: `${findLabel(productLevels, facts.productLevel)} ${facts.supportCode}`,
    };
  },
  SUBSCRIPTION: (facts: SubscriptionFacts, planPrices) => ({
    title: subscriptionTitles[facts.what] ?? facts.what,
    subject: formatPlanPriceId(planPrices, facts.planPrice),
    detail: facts.dueCents ? `${formatAud(facts.dueCents)} was charged.` : describeInterruption(facts),
    tone: "change",
  }),
  PAYMENT: (facts: PaymentFacts) => ({
    title: `${facts.number > 1 ? "Payment retried and" : "Payment"} ${facts.reason === null ? "received" : "failed"}`,
    subject: formatAud(facts.amountCents),
    detail: describePayment(facts),
    tone: facts.reason === null ? "granted" : "refused",
  }),
  INVOICE: (facts: { number: string; kind: string; description: string; totalCents: number }) => ({
    title: findLabel(documentKinds, facts.kind),
    subject: facts.number,
    detail: `${facts.description} · ${formatAud(facts.totalCents)}`,
    tone: "granted",
  }),
  COMMENT: ({ text, commentedBy }: { text: string; commentedBy: string }) => ({
    title: "Commented",
    detail: text,
    tone: "change",
    actorName: commentedBy,
  }),
  CONTACT: (facts: AuditFacts) => describeAuditEntry(facts),
  CHANGE: (facts: AuditFacts) => describeAuditEntry(facts),
};

/**
 * Returns when a pause ends, or the customer's reason for a cancellation with the comment in quotes; null if there is
 * neither.
 */
function describeInterruption({ until, reason, comment }: SubscriptionFacts): string | null {
  if (until) return `Until ${formatSellerDate(until)}.`;
  const parts = [reason ? `${labelCancellationReason(reason)}.` : null, comment ? `“${comment}”` : null];
  return parts.filter(Boolean).join(" ") || null;
}

function describePayment({ reason, nextRetryAt, cardLast4 }: PaymentFacts): string | null {
  const parts = [
    reason,
    cardLast4 ? `Card ending ${cardLast4}` : null,
    nextRetryAt ? `Next retry ${formatSellerDate(nextRetryAt)}` : null,
  ];
  return parts.filter(Boolean).join(". ") || null;
}

function describeAuditEntry({
  action,
  actorName,
  subjectType,
  subjectName,
  before,
  after,
}: AuditFacts): EntryDescription {
  return {
    title: findLabel(auditActionList, action),
    // The timeline belongs to this user, so only other subjects need a name.
    subject: subjectType === "user" ? null : subjectName,
    tone: "change",
    actorName,
    changes: describeChanges(before, after),
  };
}
