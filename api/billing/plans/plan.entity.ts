import { Collection, type Opt, types } from "@mikro-orm/core";
import { Entity, OneToMany, PrimaryKey, Unique, Index } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { productLevels } from "#schema/product-level.ts";
import {
  Choice,
  Flag,
  Text,
  Cents,
  Reference,
  Moment,
  RowId,
  Uuid,
  kept,
  SqlIndex,
} from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { billingIntervals, buildPlanPriceId, type PlanInterval, planIntervals } from "#schema/plan-catalogue.ts";
import { randomUUID } from "node:crypto";
import type { EntityManager } from "#api/platform/database/database.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";

@VisibleTo("everyone")
@ObjectType({ description: "A plan with a monthly and a yearly price." })
@Entity({ tableName: "plans" })
export class Plan {
  @Field(() => ID, { description: "Stable name used in routes, such as `xer-professional`." })
  @PrimaryKey({ type: types.string })
  slug!: string;

  @Text("Name of the plan.", { personal: "none" })
  name!: string;

  @Choice(productLevels)
  productLevel!: number;

  @Flag("True if the plan is still sold, but labelled as a retiring option.")
  retiring!: boolean;

  /** Set to false to take the plan off sale without affecting its subscribers. */
  @Flag()
  sellable: Opt<boolean> = true;

  @OneToMany(
    () => PlanPrice,
    (price) => price.plan,
  )
  prices = new Collection<PlanPrice>(this);
}

/** A plan at one billing interval, with its AUD and USD amounts in cents without GST. */
@VisibleTo("everyone")
@ObjectType({
  description: "A plan at one billing interval. Amounts are cents without GST. AUD is charged; USD is only displayed.",
})
@Entity({ tableName: "plan_prices" })
@Unique({ properties: ["plan", "interval"] })
export class PlanPrice {
  @Field(() => ID, { description: "Price id such as `xer-professional-yearly`. REST calls use it as `productId`." })
  @PrimaryKey({ type: types.string })
  id!: string;

  @Reference(() => Plan, { personal: "none" })
  plan!: Plan;

  @Choice(billingIntervals)
  interval!: PlanInterval;

  @Cents("Price that is charged, in AUD cents.")
  audCents!: number;

  @Cents("Price that public pages show, in US cents.")
  usdCents!: number;
}

/** A price of a plan from a date on. The newest version whose date has come is in force (docs/domain.md#price-changes). */
@VisibleTo("admin")
@ObjectType("PlanPriceVersion", { description: "A price of a plan from a date on. Amounts are cents without GST." })
@Entity({ tableName: "plan_price_versions" })
@Index({ properties: ["planPrice", "startsAt"] })
export class PriceVersion {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => PlanPrice, { personal: "none" })
  planPrice!: PlanPrice;

  @Cents("Price that is charged, in AUD cents.")
  audCents!: number;

  @Cents("Price that public pages show, in US cents.")
  usdCents!: number;

  @Moment("Time from which new subscriptions pay this price, in UTC.")
  startsAt!: Date;

  @Text("The reason that staff gave; empty for the price of the catalogue.", { length: 500, personal: "none" })
  reason!: string;

  /** The client's idempotency key; null for the price of the catalogue. */
  @Unique()
  @Uuid({ nullable: true, personal: "none" })
  key: string | null = null;

  @Moment()
  createdAt!: Date;
}

/**
 * Finds a plan price and its plan by price id, or by plan slug for the monthly price. Returns null if there is none.
 * Includes plans that are off sale; check `price.plan.sellable`.
 */
export async function findPlanPrice(em: EntityManager, slugOrPriceId: string): Promise<PlanPrice | null> {
  return (await findPlanPrices(em, [slugOrPriceId])).get(slugOrPriceId) ?? null;
}

/**
 * Finds several plan prices in one query, as {@link findPlanPrice} does. The result is keyed by the slug or price id
 * given.
 */
export async function findPlanPrices(
  em: EntityManager,
  slugsOrPriceIds: readonly string[],
): Promise<ReadonlyMap<string, PlanPrice>> {
  const idsByName = new Map(
    slugsOrPriceIds.map((name) => {
      const id = name.trim().toLowerCase();
      return [name, /^[a-z0-9-]{1,100}$/u.test(id) ? [id, buildPlanPriceId(id, "monthly")] : []] as const;
    }),
  );
  const ids = [...new Set([...idsByName.values()].flat())];
  if (ids.length === 0) return new Map();
  const candidates = await em.find(PlanPrice, { id: { $in: ids } }, { populate: ["plan"] });
  const byId = new Map(candidates.map((price) => [price.id, price]));
  const found = new Map<string, PlanPrice>();
  for (const [name, [id = "", monthlyId = ""]] of idsByName) {
    const price = byId.get(id) ?? byId.get(monthlyId);
    if (price) found.set(name, price);
  }
  return found;
}

/** Returns the plans on sale with their prices, the flagship first. */
export async function listPlansOnSale(em: EntityManager): Promise<Plan[]> {
  return em.find(Plan, { sellable: true }, { populate: ["prices"], orderBy: { productLevel: "desc" } });
}

/** Returns a plan's prices, the monthly price first. */
export function sortPrices(plan: Plan): PlanPrice[] {
  return planIntervals.flatMap((interval) => plan.prices.getItems().filter((price) => price.interval === interval));
}

/** Formats a plan price for display: `Professional, yearly`. */
export function formatPlanPrice({ plan, interval }: PlanPrice): string {
  return `${plan.name}, ${interval}`;
}

/** Formats the plan price with an id like {@link formatPlanPrice}. Returns the id if `prices` don't include it. */
export function formatPlanPriceId(prices: ReadonlyMap<string, PlanPrice>, id: string): string {
  const price = prices.get(id);
  return price ? formatPlanPrice(price) : id;
}

/** Returns the plan name of a price id, such as `Professional`, or the id if it isn't in the catalogue. */
export async function findPlanName(em: EntityManager, planPriceId: string): Promise<string> {
  return (await findPlanPrice(em, planPriceId))?.plan.name ?? planPriceId;
}

/** A subscriber whom staff move to the current price of their plan, with notice (docs/domain.md#price-changes). */
@Entity({ tableName: "price_moves" })
@Unique({ properties: ["key", "subscription"] })
@SqlIndex("create unique index price_moves_queued on price_moves (subscription_id) where state = 'queued'")
export class PriceMove {
  @RowId()
  id: Opt<string> = randomUUID();

  /** The idempotency key of the request. */
  @Uuid({ personal: "none" })
  key!: string;

  @Index()
  @Reference(() => Subscription, { deleteRule: "cascade", personal: kept.books })
  subscription!: Subscription;

  @Text({ personal: "none" })
  planPrice!: string;

  /** Amounts per period, in cents before GST. */
  @Cents()
  fromCents!: number;

  @Cents()
  audCents!: number;

  /** The renewal that charges the new price. */
  @Moment()
  renewsAt!: Date;

  /** `queued` until the provider has the price; `skipped` if the subscription changed in the meantime. */
  @Text({ personal: "none" })
  state: Opt<"queued" | "done" | "skipped"> = "queued";

  @Moment()
  createdAt!: Date;
}
