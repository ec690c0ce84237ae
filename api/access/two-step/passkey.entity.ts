import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";

/** A passkey or security key that proves the second step of a sign-in. */
@ObjectType({ description: "A passkey or security key that proves the second step of a sign-in." })
@Entity({ tableName: "passkeys" })
export class Passkey {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** WebAuthn's id of the credential, base64url. */
  @Unique()
  @Property({ type: types.text })
  credentialId!: string;

  /** COSE, base64url. */
  @Property({ type: types.text })
  publicKey!: string;

  /** Signature counter; passkeys that are synchronised stay at 0. */
  @Property({ type: types.double })
  counter!: number;

  /** How the browser reaches it, as it said itself. */
  @Property({ type: types.json })
  transports!: string[];

  @Field(() => String, { description: "As its owner calls it." })
  @Property({ type: types.string })
  name!: string;

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  addedAt!: Date;

  @Field(() => Date, { nullable: true, description: "UTC; null when it has not been used yet." })
  @Property({ type: types.datetime, nullable: true })
  lastUsedAt: Date | null = null;
}
