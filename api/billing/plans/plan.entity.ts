import { Collection, type Opt, types } from "@mikro-orm/core";
import { Entity, OneToMany, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { productLevels } from "#schema/product-level.ts";
import { Choice, Flag, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { PlanPrice } from "./plan-price.entity.ts";

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
