import { toValue } from "#schema/closed-list.ts";
import { type NextStepCode, nextSteps } from "#schema/next-step.ts";
import { isTrialLevel } from "#schema/product-level.ts";
import type { SubscriptionProduct } from "#api/billing/subscriptions/subscription.types.ts";
import { getPeriodEnd } from "#api/billing/subscriptions/payment-rules.ts";
import type { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import type { NextStepType } from "./next-step.resolver.ts";

/** What {@link chooseNextStep} has to know about a customer. */
export interface NextStepFacts {
  /** True for member type 1, who can subscribe and start a trial. */
  readonly isRegular: boolean;
  /** Address that is to be confirmed, and the handle of its confirmation. */
  readonly pendingEmail: { readonly email: string; readonly handle: string } | null;
  /** The running subscription. */
  readonly subscription: Pick<
    Subscription,
    | "status"
    | "planPrice"
    | "nextPlanPrice"
    | "amountCents"
    | "nextAmountCents"
    | "currentPeriodEndsAt"
    | "paidUntil"
    | "pausedUntil"
    | "disputedAt"
    | "isCancelledAtPeriodEnd"
  > | null;
  /** Its next or overdue payment, in cents including GST. */
  readonly nextChargeCents: number | null;
  /** The unpaid invoice that is due first. */
  readonly invoice: { readonly number: string; readonly dueAt: Date | null; readonly balanceCents: number } | null;
  /** Licences in force. */
  readonly licences: readonly {
    readonly productLevel: number;
    readonly deviceCount: number;
    /** True if the customer has converted a schedule with any licence, such as an earlier trial. */
    readonly hasConverted: boolean;
    readonly isNew: boolean;
  }[];
  readonly canStartTrial: boolean;
  /** End of the running trial. */
  readonly trialEndsAt: Date | null;
  /** Prices of the plan that we suggest. */
  readonly products: readonly SubscriptionProduct[];
  /** Version of the add-in on offer. */
  readonly version: string | null;
  /** True if a device that was in use lately has an older version. */
  readonly hasOldVersion: boolean;
}

/** A customer's next step. Fields that a step doesn't need are null or empty. */
export type NextStep = Omit<NextStepType, "planPrice"> & { readonly planPriceId: string | null };

const nothing: Omit<NextStep, "kind"> = {
  amountCents: null,
  at: null,
  planPriceId: null,
  products: [],
  invoiceNumber: null,
  email: null,
  confirmationHandle: null,
  version: null,
};

/** Returns the most urgent step of a customer, or null if there is nothing to do (docs/domain.md#next-step). */
export function chooseNextStep(facts: NextStepFacts, now: Date): NextStep | null {
  const { subscription, invoice, pendingEmail, licences, version } = facts;
  const step = (code: NextStepCode, details: Partial<NextStep> = {}): NextStep => ({
    ...nothing,
    ...details,
    kind: toValue(nextSteps, code),
  });
  const toPay = invoice && { amountCents: invoice.balanceCents, at: invoice.dueAt, invoiceNumber: invoice.number };

  if (subscription?.status === "past_due")
    return step("UPDATE_CARD", { amountCents: facts.nextChargeCents, at: getPeriodEnd(subscription) });
  if (toPay?.at && toPay.at < now) return step("PAY_OVERDUE_INVOICE", toPay);
  if (subscription?.disputedAt) return step("CONTACT_US");
  if (pendingEmail)
    return step("CONFIRM_EMAIL", { email: pendingEmail.email, confirmationHandle: pendingEmail.handle });

  const isInstalled = licences.some(({ deviceCount }) => deviceCount > 0);
  const install = version !== null && licences.length > 0 && !isInstalled ? step("INSTALL_ADD_IN", { version }) : null;
  if (facts.isRegular && !subscription && licences.every(({ productLevel }) => isTrialLevel(productLevel))) {
    // A trial that staff issued leaves the customer their own, for later.
    if (facts.canStartTrial && !facts.trialEndsAt) return step("START_TRIAL");
    if (facts.trialEndsAt && install) return install;
    if (facts.products.length > 0) return step("SUBSCRIBE", { at: facts.trialEndsAt, products: facts.products });
  }
  if (toPay) return step("PAY_INVOICE", toPay);
  if (subscription?.pausedUntil) return step("END_PAUSE", { at: subscription.pausedUntil });
  if (subscription?.isCancelledAtPeriodEnd)
    return step("RESUME_SUBSCRIPTION", { at: subscription.currentPeriodEndsAt });
  if (subscription && isChanging(subscription))
    return step("REVIEW_CHANGE", {
      amountCents: facts.nextChargeCents,
      at: subscription.currentPeriodEndsAt,
      planPriceId: subscription.nextPlanPrice ?? subscription.planPrice,
    });
  if (install) return install;
  if (facts.hasOldVersion && version !== null) return step("UPDATE_ADD_IN", { version });
  const isNew = facts.isRegular && licences.every((licence) => licence.isNew && !licence.hasConverted);
  return isNew && isInstalled ? step("CONVERT_SCHEDULE") : null;
}

/** Returns whether another plan or price applies from the next payment. */
function isChanging(subscription: NonNullable<NextStepFacts["subscription"]>): boolean {
  const { nextPlanPrice, nextAmountCents, amountCents } = subscription;
  return nextPlanPrice !== null || (nextAmountCents !== null && nextAmountCents !== amountCents);
}
