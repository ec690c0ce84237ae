import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import {
  moveSubscribersRules,
  type MoveSubscribersValues,
  NOTICE_DAYS,
  planOnSaleRules,
  type PlanOnSaleValues,
  planPriceRules,
  type PlanPriceValues,
} from "#schema/plan.ts";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { query } from "#api/platform/database/database.ts";
import { createLoader, createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { createReadCost } from "#api/platform/graphql/page.ts";
import { listPlansOnSale, Plan, PlanPrice, PriceVersion, sortPrices } from "#api/billing/plans/plan.entity.ts";
import { moveSubscribers, previewMove } from "./move-subscribers.ts";
import { setPlanOnSale, setPlanPrice } from "./set-plan-price.ts";
import { Type } from "typebox";
import { describedText, flag, namedObject, routesOf, text } from "#api/platform/http/define-route.ts";
import { applyDuePrices } from "#api/billing/plans/price-versions.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription.entity.ts";

const PlanPriceInput = createInput("PlanPriceInput", planPriceRules, {
  description: "A new price of a plan.",
  fields: {
    priceId: { type: ID, description: "Id of the plan price, such as `xer-professional-yearly`." },
    audCents: "AUD cents without GST, which customers pay.",
    usdCents: "US cents, which public pages show.",
    from: "First day in the vendor's time zone. Without it, the price is in force immediately.",
    reason: "Recorded in the audit log.",
    key: { type: ID, description: "UUID of the request. A repeated request returns the first result." },
  },
});

const PlanOnSaleInput = createInput("PlanOnSaleInput", planOnSaleRules, {
  description: "A plan, and whether customers can buy it.",
  fields: { slug: { type: ID }, reason: "Recorded in the audit log." },
});

const MoveSubscribersInput = createInput("MoveSubscribersInput", moveSubscribersRules, {
  description: "A request to move the subscribers of a plan to its current price.",
  fields: {
    priceId: { type: ID, description: "Id of the plan price." },
    expectedAudCents:
      "The price that `priceMovePreview` returned; another one gives a CONFLICT. Without it, any price is accepted.",
    reason: "Recorded in the audit log.",
    key: { type: ID, description: "UUID of the request. A repeated request moves nobody else." },
  },
});

export const MovedSubscribers = createType(
  "MovedSubscribers",
  "admin",
  "Subscribers who move to the current price of their plan.",
  {
    count: field.integer("Number of subscribers."),
    price: field.object(() => PlanPrice, "The plan price, with the price in force.", {
      access: Scope("billing:read", ["finance"]),
    }),
  },
);
export type MovedSubscribers = InstanceType<typeof MovedSubscribers>;

export const PriceMovePreview = createType(
  "PriceMovePreview",
  "admin",
  "Subscribers who pay another amount than the current price of their plan.",
  {
    audCents: field.integer("The price in force, in AUD cents without GST."),
    count: field.integer("Subscribers who would move."),
    tooSoonCount: field.integer(
      `Subscribers in \`count\` who renew within ${NOTICE_DAYS} days, and pay the current price once more.`,
    ),
    firstRenewalAt: fieldOrNull.moment("The first renewal at the new price, in UTC. Null if nobody would move."),
    lastRenewalAt: fieldOrNull.moment(
      "The last renewal at which a subscriber would move, in UTC. Null if nobody would move.",
    ),
  },
);
export type PriceMovePreview = InstanceType<typeof PriceMovePreview>;

@Resolver()
export class PlansResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => [Plan], {
    description: "All plans, on sale or not, the flagship first.",
    complexity: createReadCost(20),
  })
  async allPlans(@Ctx() context: Context): Promise<Plan[]> {
    await applyDuePrices(context);
    return context.em.find(Plan, {}, { populate: ["prices"], orderBy: { productLevel: "desc" } });
  }

  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @Query(() => PriceMovePreview, {
    description: "The subscribers whom `moveSubscribers` would move now.",
    complexity: createReadCost(50),
  })
  async priceMovePreview(
    @Arg("priceId", () => ID, { description: "The plan price." }) priceId: string,
    @Ctx() context: Context,
  ): Promise<PriceMovePreview> {
    return previewMove(context, priceId);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => PriceVersion, {
    description: "Sets the price of a plan from a day on. Subscribers keep the price they pay.",
  })
  async setPlanPrice(
    @CheckedArg("input", PlanPriceInput) input: PlanPriceValues,
    @Ctx() context: Context,
  ): Promise<PriceVersion> {
    return setPlanPrice(context, input);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => Plan, { description: "Takes a plan off sale, or puts it back on sale. Subscribers keep it." })
  async setPlanOnSale(
    @CheckedArg("input", PlanOnSaleInput) input: PlanOnSaleValues,
    @Ctx() context: Context,
  ): Promise<Plan> {
    return setPlanOnSale(context, input);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => MovedSubscribers, {
    description: `Moves the subscribers of a plan to its current price at their first renewal in ${NOTICE_DAYS} days or later, and emails them.`,
  })
  async moveSubscribers(
    @CheckedArg("input", MoveSubscribersInput) input: MoveSubscribersValues,
    @Ctx() context: Context,
  ): Promise<MovedSubscribers> {
    const count = await moveSubscribers(context, input);
    return { count, price: await context.em.findOneOrFail(PlanPrice, input.priceId) };
  }
}

@Resolver(() => Plan)
export class ManagedPlanResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @FieldResolver(() => Boolean, { description: "Whether customers can subscribe to the plan. Admins only." })
  isOnSale(@Root() plan: Plan): boolean {
    return plan.sellable;
  }
}

/** Loads the versions of a plan price, latest start first. */
const listVersions = createRelationLoader<PriceVersion>({
  entity: PriceVersion,
  of: "planPrice",
  orderBy: { startsAt: "desc", createdAt: "desc" },
});

interface SubscriberCounts {
  readonly count: number;
  /** Subscribers who pay another amount than the current price. */
  readonly otherAmountCount: number;
}

/** Loads the number of running subscriptions of a plan price. */
const loadSubscriberCounts = createLoader(
  async ({ em }: Pick<Context, "em">, priceIds: readonly string[]): Promise<SubscriberCounts[]> => {
    const rows = await query<SubscriberCounts & { id: string }>(
      em,
      `select p.id, count(*)::int as count,
              (count(*) filter (where s.amount_cents <> p.aud_cents))::int as "otherAmountCount"
         from subscriptions s join plan_prices p on p.id = s.plan_price
        where ${isRunningSql} and p.id = any($1) group by p.id`,
      [[...priceIds]],
    );
    return priceIds.map((id) => rows.find((row) => row.id === id) ?? { count: 0, otherAmountCount: 0 });
  },
);

@Resolver(() => PlanPrice)
export class ManagedPriceResolver {
  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @FieldResolver(() => [PriceVersion], {
    description:
      "Prices set by staff and the ones before them, latest start first; empty until staff set one. Admins only.",
    complexity: createReadCost(5),
  })
  async versions(@Root() price: PlanPrice, @Ctx() context: Context): Promise<PriceVersion[]> {
    return listVersions(context, price.id);
  }

  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @FieldResolver(() => Int, {
    description: "Running subscriptions at this price. Admins only.",
    complexity: createReadCost(5),
  })
  async customerCount(@Root() price: PlanPrice, @Ctx() context: Context): Promise<number> {
    return (await loadSubscriberCounts(context, price.id)).count;
  }

  @Allow("admin", { roles: ["finance"], scope: "billing:read" })
  @FieldResolver(() => Int, {
    description: "Running subscriptions that pay another amount. Admins only.",
    complexity: createReadCost(5),
  })
  async otherAmountCount(@Root() price: PlanPrice, @Ctx() context: Context): Promise<number> {
    return (await loadSubscriberCounts(context, price.id)).otherAmountCount;
  }
}

const priceCents = {
  audCents: Type.Integer({ description: "Cents, without GST" }),
  usdCents: Type.Integer({ description: "US cents, without GST" }),
};

const defineRoute = routesOf("Plans");

/** Calls for the plans on sale and for staff who set prices. */
export const planRoutes = [
  defineRoute("GET /v1/plans", {
    operation: "Query.plans",
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
            ...priceCents,
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
  defineRoute("POST /v1/plans/price", {
    operation: "Mutation.setPlanPrice",
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
      ...priceCents,
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
  defineRoute("POST /v1/plans/on-sale", {
    operation: "Mutation.setPlanOnSale",
    summary: "Take a plan off sale, or put it back on sale. Its subscribers keep it",
    body: planOnSaleRules,
    bodyExample: { slug: "xer-standard", isOnSale: false, reason: "Retired" },
    errors: ["NOT_FOUND"],
    handler: async ({ context, body }) => {
      await setPlanOnSale(context, body);
    },
  }),
];
