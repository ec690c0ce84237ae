import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { Cents, Moment, Reference, RowId, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { PlanPrice } from "./plan-price.entity.ts";

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
