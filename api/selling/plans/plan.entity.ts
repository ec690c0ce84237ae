import { Collection, type Opt, types } from "@mikro-orm/core";
import { Entity, OneToMany, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { legend, productLevels } from "#schema/catalogue.ts";
import { PlanPrice } from "./plan-price.entity.ts";

/** Something sold. */
@ObjectType({ description: "Something sold, with a monthly and a yearly price." })
@Entity({ tableName: "plans" })
export class Plan {
  @Field(() => ID, { description: "Name in routes, such as `xer-professional`." })
  @PrimaryKey({ type: types.string })
  slug!: string;

  @Field(() => String)
  @Property({ type: types.string })
  name!: string;

  @Field(() => Int, { description: legend(productLevels) })
  @Property({ type: types.smallint })
  productLevel!: number;

  @Field(() => Boolean, { description: "Sold, and labelled as a retiring option." })
  @Property({ type: types.boolean })
  retiring!: boolean;

  /** False takes the plan off sale without affecting its subscribers. */
  @Property({ type: types.boolean })
  sellable: Opt<boolean> = true;

  @OneToMany(
    () => PlanPrice,
    (price) => price.plan,
  )
  prices = new Collection<PlanPrice>(this);
}
