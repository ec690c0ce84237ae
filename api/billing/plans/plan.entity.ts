import { Collection, type Opt, types } from "@mikro-orm/core";
import { Entity, OneToMany, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { productLevels } from "#schema/catalogue.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { PlanPrice } from "./plan-price.entity.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

@VisibleTo("everyone")
@ObjectType({ description: "A plan with a monthly and a yearly price." })
@Entity({ tableName: "plans" })
export class Plan {
  @Field(() => ID, { description: "Stable name used in routes, such as `xer-professional`." })
  @PrimaryKey({ type: types.string })
  slug!: string;

  @Field(() => String, { description: "Name of the plan." })
  @Property({ type: types.string })
  name!: string;

  @Field(enumType(productLevels), { description: productLevels.meaning })
  @Property({ type: types.smallint })
  productLevel!: number;

  @Field(() => Boolean, { description: "True if the plan is still sold, but labelled as a retiring option." })
  @Property({ type: types.boolean })
  retiring!: boolean;

  /** Set to false to take the plan off sale without affecting its subscribers. */
  @Property({ type: types.boolean })
  sellable: Opt<boolean> = true;

  @OneToMany(
    () => PlanPrice,
    (price) => price.plan,
  )
  prices = new Collection<PlanPrice>(this);
}
