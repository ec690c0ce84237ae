import { labelOf, productLevels, ResultCode } from "#schema/catalogue.ts";
import { answerInWords, askedInWords, isChangeOfLicence } from "#schema/licence-history.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import { aud } from "#schema/money.ts";
import { type AuditChange, auditActionInWords, changesInWords } from "#api/features/audit/audit.resolver.ts";
import type { AuditedValues } from "#api/features/audit/audit-entry.entity.ts";
import { deviceInWords } from "#api/features/auth/user-agent.ts";
import { nameOfResultCode } from "#api/features/licences/licence-answer.ts";
import { findPlanPrice } from "#api/features/plans/find-plan-price.ts";
import { planPriceName } from "#api/features/plans/plan-name.ts";
import type { Context } from "#api/platform/context.ts";
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
const wordsByKind: Record<TimelineKind, (context: Context, facts: never) => TimelineWords | Promise<TimelineWords>> = {
  ACCOUNT: (_, { what }: { what: string }) => ({ title: accountWords[what] ?? what, tone: "change" }),
  SIGN_IN: (_, { userAgent, ip }: { userAgent: string; ip: string }) => ({
    title: "Signed in",
    detail: `${deviceInWords(userAgent)}${ip ? ` from ${ip}` : ""}`,
    tone: "granted",
  }),
  LICENCE: (_, facts: EventFacts) => {
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
  SUBSCRIPTION: async (context, facts: { what: string; planPrice: string; dueCents?: number }) => {
    const planPrice = await findPlanPrice(context.em, facts.planPrice);
    return {
      title: subscriptionWords[facts.what] ?? facts.what,
      subject: planPrice ? planPriceName(planPrice) : facts.planPrice,
      detail: facts.dueCents ? `${aud(facts.dueCents)} was charged.` : null,
      tone: "change",
    };
  },
  INVOICE: (_, facts: { number: string; kind: string; description: string; totalCents: number }) => ({
    title: facts.kind === "adjustment" ? "Adjustment note" : "Tax invoice",
    subject: facts.number,
    detail: `${facts.description} · ${aud(facts.totalCents)}`,
    tone: "granted",
  }),
  COMMENT: (_, { text, commentedBy }: { text: string; commentedBy: string }) => ({
    title: "Commented",
    detail: text,
    tone: "change",
    actorName: commentedBy,
  }),
  CONTACT: (_, facts: AuditFacts) => auditWords(facts),
  CHANGE: (_, facts: AuditFacts) => auditWords(facts),
};

/** An entry in words. */
export async function wordsOf(context: Context, kind: TimelineKind, facts: never): Promise<TimelineWords> {
  return wordsByKind[kind](context, facts);
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
