import type { Opt } from "@mikro-orm/core";
import { Entity } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { type ViewedList, viewedLists } from "#schema/saved-view.ts";
import { Choice, Flag, LongText, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";

/** The search, filter, order and columns of a list that an admin has saved under a name. */
@VisibleTo("admin")
@ObjectType({ description: "The search, filter, order and columns of a list, saved by an admin under a name." })
@Entity({ tableName: "saved_views" })
@SqlIndex("create unique index saved_views_one_of_each on saved_views (owner_id, list, lower(name))")
@SqlIndex("create unique index saved_views_one_default on saved_views (owner_id, list) where is_default")
export class SavedView {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** The admin who saved the view. Only they can see it. */
  @Reference(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @Choice(viewedLists, "The list.")
  list!: ViewedList;

  @Text("Name of the view.")
  name!: string;

  @LongText("Query string of the list's URL, such as `types=1&sort=Email`.")
  parameters!: string;

  @Flag("The list opens with this view. At most one view of each list is the default.")
  isDefault!: boolean;

  @Moment()
  createdAt!: Date;
}
