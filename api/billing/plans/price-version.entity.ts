import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { PlanPrice } from "./plan-price.entity.ts";

/** A price of a plan from a date on. The newest version whose date has come is in force (docs/domain.md#price-changes). */
@VisibleTo("admin")
@ObjectType("PlanPriceVersion", { description: "A price of a plan from a date on. Amounts are cents without GST." })
@Entity({ tableName: "plan_price_versions" })
@Index({ properties: ["planPrice", "startsAt"] })
export class PriceVersion {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => PlanPrice)
  planPrice!: PlanPrice;

  @Field(() => Int, { description: "Price that is charged, in AUD cents." })
  @Property({ type: types.integer })
  audCents!: number;

  @Field(() => Int, { description: "Price that public pages show, in US cents." })
  @Property({ type: types.integer })
  usdCents!: number;

  @Field(() => Date, { description: "Time from which new subscriptions pay this price, in UTC." })
  @Property({ type: types.datetime })
  startsAt!: Date;

  @Field(() => String, { description: "The reason that staff gave; empty for the price of the catalogue." })
  @Property({ type: types.string, length: 500 })
  reason!: string;

  /** The client's idempotency key; null for the price of the catalogue. */
  @Unique()
  @Property({ type: types.uuid, nullable: true })
  key: string | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;
}
