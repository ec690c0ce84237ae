import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { Json, LongText, Moment, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A passkey or security key used as the second step of a sign-in. */
@VisibleTo("anySession")
@ObjectType({ description: "A passkey or security key used as the second step of a sign-in." })
@Entity({ tableName: "passkeys" })
export class Passkey {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  /** WebAuthn credential id, base64url. */
  @Unique()
  @LongText()
  credentialId!: string;

  /** COSE public key, base64url. */
  @LongText()
  publicKey!: string;

  /** Signature counter. It stays at 0 for synchronised passkeys. */
  @Property({ type: types.double })
  counter!: number;

  /** Transports reported by the browser. */
  @Json()
  transports!: string[];

  @Text("The name its owner gave the passkey.")
  name!: string;

  @Moment("When the passkey was added, in UTC.")
  addedAt!: Date;

  @Moment("When the passkey was last used, in UTC. Null if it has never been used.", { nullable: true })
  lastUsedAt: Date | null = null;
}
