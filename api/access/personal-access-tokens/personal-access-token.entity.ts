import { type Opt, types } from "@mikro-orm/core";
import { Entity, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ObjectType } from "type-graphql";
import { Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A bearer token for API clients that act for their owner (decision 0050). Only a hash of the secret is stored. */
@VisibleTo("signedIn")
@ObjectType({
  description: "A token that API clients send as `Authorization: Bearer xpat_…` instead of a session token.",
})
@Entity({ tableName: "personal_access_tokens" })
@SqlIndex("create index personal_access_tokens_of_user on personal_access_tokens (user_id, created_at desc, id desc)")
export class PersonalAccessToken {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => User, { deleteRule: "cascade", index: false })
  user!: User;

  @Text("The name its owner gave the token.")
  name!: string;

  @Property({ type: types.array })
  scopes!: string[];

  /** Networks from which the token is accepted; everywhere if empty. */
  @Field(() => [String], {
    description:
      "The IP addresses and networks from which the token is accepted. Empty if it is accepted from everywhere.",
  })
  @Property({ type: types.array, defaultRaw: "'{}'" })
  networks: Opt<string[]> = [];

  @Unique()
  @Text()
  tokenHash!: string;

  @Text("The last four characters of the token, to help recognize it.")
  hint!: string;

  @Moment("When the token was created, in UTC.")
  createdAt!: Date;

  @Moment("When the token expires, in UTC.")
  expiresAt!: Date;

  @Moment("When the token was last used, in UTC, accurate to a minute. Null if it has never been used.", {
    nullable: true,
  })
  lastUsedAt: Date | null = null;

  @Text("The IP address of the last use.", { nullable: true })
  lastUsedIp: string | null = null;

  @Moment("When the token was revoked, in UTC. Null if it has not been revoked.", { nullable: true })
  revokedAt: Date | null = null;
}
