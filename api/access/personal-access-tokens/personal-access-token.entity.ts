import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A bearer token for API clients that act for their owner (decision 0050). Only a hash of the secret is stored. */
@VisibleTo("signedIn")
@ObjectType({
  description: "A token that API clients send as `Authorization: Bearer xpat_…` instead of a session token.",
})
@Entity({ tableName: "personal_access_tokens" })
@Index({
  name: "personal_access_tokens_of_user",
  expression:
    "create index personal_access_tokens_of_user on personal_access_tokens (user_id, created_at desc, id desc)",
})
export class PersonalAccessToken {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  user!: User;

  @Field(() => String, { description: "The name its owner gave the token." })
  @Property({ type: types.string })
  name!: string;

  @Property({ type: types.array })
  scopes!: string[];

  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Field(() => String, { description: "The last four characters of the token, to help recognize it." })
  @Property({ type: types.string })
  hint!: string;

  @Field(() => Date, { description: "When the token was created, in UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  @Field(() => Date, { description: "When the token expires, in UTC." })
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "When the token was last used, in UTC, accurate to a minute. Null if it has never been used.",
  })
  @Property({ type: types.datetime, nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => String, { nullable: true, description: "The IP address of the last use." })
  @Property({ type: types.string, nullable: true })
  lastUsedIp: string | null = null;

  @Field(() => Date, {
    nullable: true,
    description: "When the token was revoked, in UTC. Null if it has not been revoked.",
  })
  @Property({ type: types.datetime, nullable: true })
  revokedAt: Date | null = null;
}
