import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { type ViewedList, viewedLists } from "#schema/rules/saved-view.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

/** The search, filter, order and columns of a list that an admin has saved under a name. */
@VisibleTo("admin")
@ObjectType({ description: "The search, filter, order and columns of a list, saved by an admin under a name." })
@Entity({ tableName: "saved_views" })
@Index({
  name: "saved_views_one_of_each",
  expression: "create unique index saved_views_one_of_each on saved_views (owner_id, list, lower(name))",
})
@Index({
  name: "saved_views_one_default",
  expression: "create unique index saved_views_one_default on saved_views (owner_id, list) where is_default",
})
export class SavedView {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** The admin who saved the view. Only they can see it. */
  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @Field(enumType(viewedLists), { description: "The list." })
  @Property({ type: types.string })
  list!: ViewedList;

  @Field(() => String, { description: "Name of the view." })
  @Property({ type: types.string })
  name!: string;

  @Field(() => String, { description: "Query string of the list's URL, such as `types=1&sort=Email`." })
  @Property({ type: types.text })
  parameters!: string;

  @Field(() => Boolean, { description: "The list opens with this view. At most one view of each list is the default." })
  @Property({ type: types.boolean })
  isDefault!: boolean;

  @Property({ type: types.datetime })
  createdAt!: Date;
}
