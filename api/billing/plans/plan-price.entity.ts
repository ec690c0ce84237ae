import { types } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import type { PlanInterval } from "#schema/plan-catalogue.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { Plan } from "./plan.entity.ts";
import { billingIntervals } from "#schema/billing-intervals.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

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

  @ManyToOne(() => Plan)
  plan!: Plan;

  @Field(enumType(billingIntervals), { description: billingIntervals.meaning })
  @Property({ type: types.string })
  interval!: PlanInterval;

  @Field(() => Int, { description: "Price that is charged, in AUD cents." })
  @Property({ type: types.integer })
  audCents!: number;

  @Field(() => Int, { description: "Price that public pages show, in US cents." })
  @Property({ type: types.integer })
  usdCents!: number;
}
