import type { MockLink } from "@apollo/client/testing";
import { GraphQLError } from "graphql";
import { vi } from "vitest";
import { graphqlAnswer } from "#tests/support/render-web.tsx";
import {
  ApplyPromoCodeDocument,
  CardEntryDocument,
  CompleteSubscriptionDocument,
  ConfirmSubscriptionDocument,
  SubscribeDocument,
  type SubscribeInput,
  SubscriptionStatusDocument,
} from "#web/generated/graphql.ts";

export type Mock = MockLink.MockedResponse;

const planPrice = (id: string) => ({
  __typename: "PlanPrice",
  id,
  interval: id.endsWith("yearly") ? "yearly" : "monthly",
});

function product(id: string, amountCents: number) {
  const gstCents = Math.round(amountCents / 10);
  return {
    __typename: "SubscriptionProduct",
    id,
    name: id,
    amountCents,
    gstCents,
    totalCents: amountCents + gstCents,
    planPrice: planPrice(id),
  };
}

export const products = [
  product("xer-professional-monthly", 14_995),
  product("xer-professional-yearly", 142_400),
  product("xer-standard-monthly", 7_495),
];

/** A running subscription as the API returns it. */
export const running = {
  __typename: "Subscription",
  id: "subscription-1",
  currentPeriodEndsAt: "2027-01-09T20:00:00.000Z",
  isCancelledAtPeriodEnd: false,
  isPastDue: false,
  cardBrand: "visa",
  cardLast4: "4242",
  cardExpires: "12/34",
  planPrice: planPrice("xer-professional-yearly"),
  nextPlanPrice: null as object | null,
};

/** Builds a subscription status, by default without a subscription. */
export function standing(subscription: object | null = null, changes: Record<string, unknown> = {}) {
  return {
    __typename: "SubscriptionStatus",
    hasActiveSubscription: subscription !== null,
    message: subscription ? "Your subscription is active." : "You don't have an active subscription.",
    nextChargeCents: subscription ? 156_640 : null,
    subscription,
    products,
    ...changes,
  };
}

export const status = (subscriptionStatus: object = standing()): Mock => ({
  request: { query: SubscriptionStatusDocument },
  result: { data: { subscriptionStatus } },
});

export const cardEntry = (kind = "SIMULATOR"): Mock => ({
  request: { query: CardEntryDocument },
  result: { data: { cardEntry: { __typename: "CardEntry", kind, publishableKey: "pk_test_simulator" } } },
});

/** Builds an error response. */
export const refusal = (code: string, message: string, fields?: Record<string, string[]>) => ({
  errors: [new GraphQLError(message, { extensions: { code, ...(fields ? { fields } : {}) } })],
});

export const outcome = (state: string, changes: Record<string, unknown> = {}) => ({
  __typename: "PaymentOutcome",
  state,
  message: null,
  id: "checkout-1",
  clientSecret: null,
  ...changes,
});

export const confirmation = (totalCents = 156_640, promoCode: string | null = null): Mock => ({
  request: { query: ConfirmSubscriptionDocument, variables: { planPriceId: "xer-professional-yearly", promoCode } },
  result: {
    data: {
      confirmSubscription: {
        __typename: "SubscriptionConfirmation",
        message: "You are subscribing. Do you want to continue?",
        totalCents,
      },
    },
  },
});

export const promo = (planPriceId: string, result: Mock["result"], promoCode = "WELCOME10"): Mock => ({
  request: { query: ApplyPromoCodeDocument, variables: { input: { planPriceId, promoCode } } },
  result,
});

/** A 10 % discount on yearly Professional. */
export const tenPercentOff = {
  data: {
    applyPromoCode: {
      __typename: "PriceQuote",
      amountCents: 142_400,
      discountCents: 14_240,
      gstCents: 12_816,
      totalCents: 140_976,
      fullTotalCents: 156_640,
    },
  },
};

/** Mocks the subscribe mutation and records its inputs. */
export function subscribing(sent: SubscribeInput[], response: object): Mock {
  const matches = ({ input }: { input: SubscribeInput }) => {
    sent.push(input);
    return true;
  };
  const request = { query: SubscribeDocument, variables: matches as never };
  if (response instanceof Error) return { request, error: response };
  return {
    request,
    result: "errors" in response ? (response as ReturnType<typeof refusal>) : { data: { subscribe: response } },
  };
}

export const completing = (response: object): Mock => ({
  request: { query: CompleteSubscriptionDocument, variables: { id: "checkout-1" } },
  result: { data: { completeSubscription: response } },
});

/** A request received by the mocked payment simulator. */
export interface AskedOfSimulator {
  path: string;
  authorization: string | null;
  fields: Record<string, string>;
}

/** Mocks the payment simulator. Returns the responses one after another and repeats the last one. */
export function playSimulator(...responses: { status?: number; body: object }[]): AskedOfSimulator[] {
  const requests: AskedOfSimulator[] = [];
  vi.stubGlobal("fetch", async (path: string, init: { body: string; headers: HeadersInit }) => {
    const fields = Object.fromEntries(new URLSearchParams(init.body));
    requests.push({ path, authorization: new Headers(init.headers).get("authorization"), fields });
    const response = responses.length > 1 ? responses.shift() : responses[0];
    if (!response) throw new TypeError("Failed to fetch");
    return graphqlAnswer(response.body, response.status);
  });
  return requests;
}
