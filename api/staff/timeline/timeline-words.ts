import { labelOf, productLevels, ResultCode } from "#schema/catalogue.ts";
import { answerInWords, askedInWords, isChangeOfLicence } from "#schema/licence-history.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import { aud } from "#schema/money.ts";
import { auditActionInWords, type AuditChange, changesInWords } from "#api/staff/audit-log/audit.resolver.ts";
import type { AuditedValues } from "#api/audit/change-log/audit-entry.entity.ts";
import { deviceInWords } from "#api/access/sessions/user-agent.ts";
import { nameOfResultCode } from "#api/licensing/licences/licence-answer.ts";
import type { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { planPriceName } from "#api/selling/plans/find-plan-price.ts";
import { TimelineKind } from "./timeline-sources.ts";

/** What an entry says. */
export interface TimelineWords {
  /** What happened. */
  readonly title: string;
  /** Which machine, contact, invoice or licence it happened to. */
  readonly subject?: string | null;
  /** The answer, the sum, the browser: one sentence more. */
  readonly detail?: string | null;
  /** How it ended, as the mark shows it. */
  readonly tone: "granted" | "refused" | "change";
  /** The member of staff who did it. */
  readonly actorName?: string | null;
  readonly count?: number;
  /** Of a run of identical successes. */
  readonly lastAt?: Date | null;
  readonly licenceId?: string | null;
  readonly supportCode?: string | null;
  readonly changes?: AuditChange[];
}

/** The plan prices that entries name, by the id or slug they name them by. */
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

interface AuditFacts {
  action: string;
  actorName: string;
  subjectType: string;
  subjectName: string;
  before: AuditedValues | null;
  after: AuditedValues | null;
}

const accountWords: Readonly<Record<string, string>> = {
  "1-registered": "Registered",
  "2-confirmed": "Confirmed the email address",
  "3-deleted": "Deleted the account",
};

const subscriptionWords: Readonly<Record<string, string>> = {
  "1-started": "Subscribed",
  "2-ended": "Subscription ended",
  changed: "Changed the plan",
};

// Facts are what the source of the kind builds, in timeline-sources.
const wordsByKind: Record<TimelineKind, (facts: never, planPrices: PlanPrices) => TimelineWords> = {
  ACCOUNT: ({ what }: { what: string }) => ({ title: accountWords[what] ?? what, tone: "change" }),
  SIGN_IN: ({ userAgent, ip }: { userAgent: string; ip: string }) => ({
    title: "Signed in",
    detail: `${deviceInWords(userAgent)}${ip ? ` from ${ip}` : ""}`,
    tone: "granted",
  }),
  LICENCE: (facts: EventFacts) => {
    const { kind, resultCode, machineName, ip } = facts;
    const isRefusal = resultCode !== ResultCode.VALID;
    return {
      title: askedInWords(kind),
      subject: machineName === null ? null : shownMachineName(machineName),
      detail: `${answerInWords(kind, nameOfResultCode(resultCode))}${isRefusal && ip ? ` Asked from ${ip}.` : ""}`,
      tone: isRefusal ? "refused" : isChangeOfLicence(kind) ? "change" : "granted",
      count: facts.count,
      lastAt: facts.count > 1 ? new Date(facts.lastAtMs) : null,
      licenceId: facts.licenceId,
      supportCode: `${labelOf(productLevels, facts.productLevel)} ${facts.supportCode}`,
    };
  },
  SUBSCRIPTION: (facts: { what: string; planPrice: string; dueCents?: number }, planPrices) => {
    const planPrice = planPrices.get(facts.planPrice);
    return {
      title: subscriptionWords[facts.what] ?? facts.what,
      subject: planPrice ? planPriceName(planPrice) : facts.planPrice,
      detail: facts.dueCents ? `${aud(facts.dueCents)} was charged.` : null,
      tone: "change",
    };
  },
  INVOICE: (facts: { number: string; kind: string; description: string; totalCents: number }) => ({
    title: facts.kind === "adjustment" ? "Adjustment note" : "Tax invoice",
    subject: facts.number,
    detail: `${facts.description} · ${aud(facts.totalCents)}`,
    tone: "granted",
  }),
  COMMENT: ({ text, commentedBy }: { text: string; commentedBy: string }) => ({
    title: "Commented",
    detail: text,
    tone: "change",
    actorName: commentedBy,
  }),
  CONTACT: (facts: AuditFacts) => auditWords(facts),
  CHANGE: (facts: AuditFacts) => auditWords(facts),
};

/** Returns an entry in words. */
export function wordsOf(kind: TimelineKind, facts: never, planPrices: PlanPrices): TimelineWords {
  return wordsByKind[kind](facts, planPrices);
}

function auditWords({ action, actorName, subjectType, subjectName, before, after }: AuditFacts): TimelineWords {
  return {
    title: auditActionInWords(action),
    // The timeline is of this user: only what is something else needs a name.
    subject: subjectType === "user" ? null : subjectName,
    tone: "change",
    actorName,
    changes: changesInWords(before, after),
  };
}
