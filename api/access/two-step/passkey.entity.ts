import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A passkey or security key used as the second step of a sign-in. */
@VisibleTo("anySession")
@ObjectType({ description: "A passkey or security key used as the second step of a sign-in." })
@Entity({ tableName: "passkeys" })
export class Passkey {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** WebAuthn credential id, base64url. */
  @Unique()
  @Property({ type: types.text })
  credentialId!: string;

  /** COSE public key, base64url. */
  @Property({ type: types.text })
  publicKey!: string;

  /** Signature counter. It stays at 0 for synchronised passkeys. */
  @Property({ type: types.double })
  counter!: number;

  /** Transports reported by the browser. */
  @Property({ type: types.json })
  transports!: string[];

  @Field(() => String, { description: "The name its owner gave the passkey." })
  @Property({ type: types.string })
  name!: string;

  @Field(() => Date, { description: "When the passkey was added, in UTC." })
  @Property({ type: types.datetime })
  addedAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "When the passkey was last used, in UTC. Null if it has never been used.",
  })
  @Property({ type: types.datetime, nullable: true })
  lastUsedAt: Date | null = null;
}
