import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Unique } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { billingIntervals, type PlanInterval } from "#schema/plan-catalogue.ts";
import { Cents, Choice, Reference } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { Plan } from "./plan.entity.ts";

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
