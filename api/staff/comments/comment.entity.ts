import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";

/** What staff noted on a user, for each other: written once, never changed, erased with the account (decision 0032). */
@ObjectType({ description: "What staff noted on a user, for each other; never changed." })
@Entity({ tableName: "comments" })
@Index({
  name: "comments_of_user",
  expression: "create index comments_of_user on comments (user_id, at desc, id desc)",
})
@Index({
  name: "comments_newest",
  expression: "create index comments_newest on comments (at desc, id desc)",
})
export class Comment {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  user!: User;

  @Field(() => String, { name: "comment", description: "Line breaks are as they were typed." })
  @Property({ type: types.text })
  text!: string;

  /** The admin who wrote it; nothing is done when that account goes. */
  @Property({ type: types.uuid })
  commentedById!: string;

  @Field(() => String, { description: "Name of the admin who wrote it, as it was then." })
  @Property({ type: types.string })
  commentedBy!: string;

  @Field(() => Date, { name: "commentDate", description: "UTC." })
  @Property({ type: types.datetime })
  at!: Date;
}
