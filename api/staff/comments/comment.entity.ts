import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

/** An internal note by staff about a user. Comments are never changed and are erased with the account. */
@VisibleTo("admin", { readThrough: "User.comments" })
@ObjectType({ description: "An internal note by staff about a user. Comments can't be changed." })
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
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  user!: User;

  @Field(() => String, { name: "comment", description: "The text of the comment, with its line breaks." })
  @Property({ type: types.text })
  text!: string;

  /** Admin who wrote the comment. The id stays when that account is deleted. */
  @Property({ type: types.uuid })
  commentedById!: string;

  @Field(() => String, { description: "The name of the author when they wrote the comment." })
  @Property({ type: types.string })
  commentedBy!: string;

  @Field(() => Date, { name: "commentDate", description: "The time the comment was written, in UTC." })
  @Property({ type: types.datetime })
  at!: Date;
}
