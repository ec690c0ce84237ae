import type { Opt } from "@mikro-orm/core";
import { Entity } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { LongText, Moment, Reference, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";

/** An internal note by staff about a user. Comments are never changed and are erased with the account. */
@VisibleTo("admin", { readThrough: "User.comments" })
@ObjectType({ description: "An internal note by staff about a user. Comments can't be changed." })
@Entity({ tableName: "comments" })
@SqlIndex("create index comments_of_user on comments (user_id, at desc, id desc)")
@SqlIndex("create index comments_newest on comments (at desc, id desc)")
export class Comment {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => User, { deleteRule: "cascade", index: false })
  user!: User;

  @LongText("The text of the comment, with its line breaks.", { exposedAs: "comment" })
  text!: string;

  /** Admin who wrote the comment. The id stays when that account is deleted. */
  @Uuid()
  commentedById!: string;

  @Text("The name of the author when they wrote the comment.")
  commentedBy!: string;

  @Moment("The time the comment was written, in UTC.", { exposedAs: "commentDate" })
  at!: Date;
}
