import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { scopeNames } from "#schema/scopes.ts";
import { User } from "#api/people/users/user.entity.ts";

/** What a program sends in its owner's name instead of a session (decision 0050). Only a hash of its text is kept. */
@ObjectType({ description: "What a program sends as `Authorization: Bearer xpat_…` instead of a session." })
@Entity({ tableName: "personal_access_tokens" })
@Index({
  name: "personal_access_tokens_of_user",
  expression:
    "create index personal_access_tokens_of_user on personal_access_tokens (user_id, created_at desc, id desc)",
})
export class PersonalAccessToken {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  user!: User;

  @Field(() => String, { description: "What its owner calls it." })
  @Property({ type: types.string })
  name!: string;

  @Field(() => [String], { description: `What it may do: of ${scopeNames.join(", ")}.` })
  @Property({ type: types.array })
  scopes!: string[];

  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Field(() => String, { description: "The last four characters of its text, to tell it from others." })
  @Property({ type: types.string })
  hint!: string;

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  @Field(() => Date, { description: "When it stops working, UTC." })
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: "UTC, to the minute; null while it was never used." })
  @Property({ type: types.datetime, nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => String, { nullable: true, description: "The address of that use." })
  @Property({ type: types.string, nullable: true })
  lastUsedIp: string | null = null;

  @Field(() => Date, { nullable: true, description: "UTC; null while it was not revoked." })
  @Property({ type: types.datetime, nullable: true })
  revokedAt: Date | null = null;
}
