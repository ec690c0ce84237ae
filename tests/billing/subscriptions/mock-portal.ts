import { findPlanByProductId } from "#schema/plan-catalogue.ts";
import { vi } from "vitest";
import { type Mock, mockQuery } from "#tests/support/mock-query.tsx";
import { mockGraphqlResponse } from "#tests/support/render-web.tsx";
import {
  ApplyPromoCodeDocument,
  CancellationEffectsDocument,
  CardEntryDocument,
  CompleteSubscriptionDocument,
  ConfirmSubscriptionDocument,
  PaymentsDocument,
  SubscribeDocument,
  type SubscribeInput,
  SubscriptionStatusDocument,
  TaxInvoicesDocument,
} from "#web/generated/graphql.ts";

const planPrice = (id: string) => ({
  id,
  interval: id.endsWith("yearly") ? "YEARLY" : "MONTHLY",
  usdCents: findPlanByProductId(id)?.prices[id.endsWith("yearly") ? "yearly" : "monthly"].usdCents ?? 0,
});

function product(id: string, amountCents: number) {
  const gstCents = Math.round(amountCents / 10);
  return { id, name: id, amountCents, gstCents, totalCents: amountCents + gstCents, planPrice: planPrice(id) };
}

export const products = [
  product("xer-professional-monthly", 14_995),
  product("xer-professional-yearly", 142_400),
  product("xer-standard-monthly", 7_495),
];

/** A running subscription as the API returns it. */
export const runningSubscription = {
  id: "subscription-1",
  currentPeriodEndsAt: "2027-01-09T20:00:00.000Z",
  isCancelledAtPeriodEnd: false,
  pausedUntil: null as string | null,
  isPastDue: false,
  isDisputed: false,
  changesAtRenewal: false,
  cardBrand: "visa",
  cardLast4: "4242",
  cardExpires: "12/34",
  planPrice: planPrice("xer-professional-yearly"),
  nextPlanPrice: null as object | null,
};

/** Builds a subscription status, by default without a subscription. */
export function buildStatus(subscription: object | null = null, changes: Record<string, unknown> = {}) {
  return {
    hasActiveSubscription: subscription !== null,
    message: subscription ? "Your subscription is active." : "You don't have an active subscription.",
    nextChargeCents: subscription ? 156_640 : null,
    subscription,
    products,
    ...changes,
  };
}

/** Mocks the query of the customer's payments, none by default. */
export const mockPayments = (...paymentAttempts: object[]) =>
  mockQuery(PaymentsDocument, {}, 5).returns({ paymentAttempts });

/** Mocks the query of the customer's tax invoices and the details on future ones. */
export const mockInvoices = (...numbers: number[]) =>
  mockQuery(TaxInvoicesDocument, {}, 5).returns({
    taxInvoices: numbers.map((number) => ({
      id: `invoice-${number}`,
      number: String(number),
      kind: "INVOICE",
      totalCents: 100_000 + number,
    })),
    me: { companyName: "Analytical Planning" },
  });

/** Mocks what a cancellation would end: a licence with two devices. */
export const mockEffects = mockQuery(CancellationEffectsDocument).returns({
  me: {
    licences: [
      {
        subscriptionLevel: "Professional",
        expiresAt: "2099-01-12T20:00:00.000Z",
        renewal: "RENEWS",
        devices: [{ id: "device-1" }, { id: "device-2" }],
      },
    ],
  },
});

/** A payment that the bank declined, as the API returns it. */
export const failedPayment = {
  id: "payment-2",
  at: "2026-11-20T02:00:00.000Z",
  amountCents: 156_640,
  status: "FAILED",
  reason: "Insufficient funds",
  nextRetryAt: "2026-11-26T02:00:00.000Z",
  cardBrand: "visa",
  cardLast4: "4242",
};

export const mockStatus = (subscriptionStatus: object = buildStatus()): Mock =>
  mockQuery(SubscriptionStatusDocument).returns({ subscriptionStatus });

export const mockCardEntry = (kind = "SIMULATOR") =>
  mockQuery(CardEntryDocument).returns({ cardEntry: { kind, publishableKey: "pk_test_simulator" } });

export const buildOutcome = (state: string, changes: Record<string, unknown> = {}) => ({
  state,
  id: "checkout-1",
  ...changes,
});

export const mockConfirmation = (totalCents = 156_640, promoCode: string | null = null) =>
  mockQuery(ConfirmSubscriptionDocument, { planPriceId: "xer-professional-yearly", promoCode }).returns({
    confirmSubscription: { message: "You are subscribing. Do you want to continue?", totalCents },
  });

export const applyingCode = (planPriceId = "xer-professional-yearly", promoCode = "WELCOME10") =>
  mockQuery(ApplyPromoCodeDocument, { input: { planPriceId, promoCode } });

/** A 10 % discount on yearly Professional. */
export const tenPercentOff = {
  amountCents: 142_400,
  discountCents: 14_240,
  gstCents: 12_816,
  totalCents: 140_976,
  fullTotalCents: 156_640,
};

/** Mocks the subscribe mutation and records its inputs. */
export const subscribing = (sent: SubscribeInput[] = []) =>
  mockQuery(SubscribeDocument, ({ input }) => sent.push(input as SubscribeInput) > 0);

export const mockSubscribe = (sent: SubscribeInput[], subscribe: object = buildOutcome("DONE")) =>
  subscribing(sent).returns({ subscribe });

export const mockCompletion = (response: object) =>
  mockQuery(CompleteSubscriptionDocument, { id: "checkout-1" }).returns({ completeSubscription: response });

/** A request received by the mocked payment simulator. */
export interface SimulatorRequest {
  path: string;
  authorization: string | null;
  fields: Record<string, string>;
}

/** Mocks the payment simulator. Returns the responses one after another and repeats the last one. */
export function mockSimulator(...responses: { status?: number; body: object }[]): SimulatorRequest[] {
  const requests: SimulatorRequest[] = [];
  vi.stubGlobal("fetch", async (path: string, init: { body: string; headers: HeadersInit }) => {
    const fields = Object.fromEntries(new URLSearchParams(init.body));
    requests.push({ path, authorization: new Headers(init.headers).get("authorization"), fields });
    const response = responses.length > 1 ? responses.shift() : responses[0];
    if (!response) throw new TypeError("Failed to fetch");
    return mockGraphqlResponse(response.body, response.status);
  });
  return requests;
}
