import { Type } from "typebox";
import { planOnSaleRules, planPriceRules } from "#schema/plan.ts";
import { setPlanOnSale, setPlanPrice } from "#api/billing/prices/set-plan-price.ts";
import { cents, describedText, flag, namedObject, text } from "#api/platform/http/json-types.ts";
import { listPlansOnSale, sortPrices } from "#api/billing/plans/find-plan-price.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import { defineRoute } from "./define-route.ts";

const tag = "Plans";

/** Calls for the plans on sale and for staff who set prices. */
export const planRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/plans",
    operation: "Query.plans",
    tag,
    summary: "List the plans on sale with the prices in force. Amounts are cents without GST. AUD is charged",
    response: Type.Array(
      namedObject("Plan", {
        slug: text,
        name: text,
        retiring: flag,
        prices: Type.Array(
          namedObject("PlanPrice", {
            id: describedText("Id of the plan price, which `/v1/subscriptions` calls `productId`"),
            interval: describedText("monthly or yearly"),
            audCents: cents,
            usdCents: cents,
          }),
        ),
      }),
    ),
    example: [
      {
        slug: "xer-professional",
        name: "Professional",
        retiring: false,
        prices: [{ id: "xer-professional-monthly", interval: "monthly", audCents: 14_995, usdCents: 9_995 }],
      },
    ],
    handler: async ({ context }) => {
      await applyDuePrices(context);
      const plans = await listPlansOnSale(context.em);
      return plans.map((plan) => ({
        slug: plan.slug,
        name: plan.name,
        retiring: plan.retiring,
        prices: sortPrices(plan).map(({ id, interval, audCents, usdCents }) => ({ id, interval, audCents, usdCents })),
      }));
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/plans/price",
    operation: "Mutation.setPlanPrice",
    tag,
    summary:
      "Set the price of a plan from a day on. Subscribers keep the price they pay. Without `from`, the price is in force immediately. A repeated `key` returns the first result",
    body: planPriceRules,
    bodyExample: {
      priceId: "xer-professional-yearly",
      audCents: 149_900,
      usdCents: 99_900,
      from: "2027-01-01",
      reason: "Prices of 2027",
      key: "0d1f7a52-6f0e-4f0c-8b1c-3a3f3b9a5d11",
    },
    errors: ["NOT_FOUND", "CONFLICT"],
    response: namedObject("PlanPriceVersion", {
      id: text,
      priceId: text,
      audCents: cents,
      usdCents: cents,
      startsAtUtc: text,
    }),
    example: {
      id: "7e4c1f38-0f6f-4a59-9f5c-0c6b1d2e3f40",
      priceId: "xer-professional-yearly",
      audCents: 149_900,
      usdCents: 99_900,
      startsAtUtc: "2026-12-31T14:00:00.000Z",
    },
    handler: async ({ context, body }) => {
      const { id, planPrice, audCents, usdCents, startsAt } = await setPlanPrice(context, body);
      return { id, priceId: planPrice.id, audCents, usdCents, startsAtUtc: startsAt.toISOString() };
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/plans/on-sale",
    operation: "Mutation.setPlanOnSale",
    tag,
    summary: "Take a plan off sale, or put it back on sale. Its subscribers keep it",
    body: planOnSaleRules,
    bodyExample: { slug: "xer-standard", isOnSale: false, reason: "Retired" },
    errors: ["NOT_FOUND"],
    handler: async ({ context, body }) => {
      await setPlanOnSale(context, body);
    },
  }),
];
