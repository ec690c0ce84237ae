import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Property, Unique, OneToOne } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { Json, LongText, Moment, Reference, RowId, Text, Integer } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";

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

/** The authenticator app of an account: the active secret, and a pending one until its first code is entered. */
@Entity({ tableName: "authenticator_apps" })
export class AuthenticatorApp {
  @RowId()
  id: Opt<string> = randomUUID();

  @OneToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** Sealed secret. Null until the first code has been entered. */
  @LongText({ nullable: true })
  secret: string | null = null;

  /** When the active app was added. */
  @Moment({ nullable: true })
  addedAt: Date | null = null;

  /** 30-second time step of the last accepted code. Codes for this step and earlier steps are rejected. */
  @Integer({ nullable: true })
  lastTimeStep: number | null = null;

  /** Sealed secret that replaces `secret` when its first code is entered. */
  @LongText({ nullable: true })
  pendingSecret: string | null = null;

  @Moment({ nullable: true })
  pendingUntil: Date | null = null;
}

/** A single-use code that replaces a lost app or passkey. Only its SHA-256 is stored. */
@Entity({ tableName: "recovery_codes" })
export class RecoveryCode {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Unique()
  @Text()
  codeHash!: string;

  @Moment()
  createdAt!: Date;

  @Moment({ nullable: true })
  usedAt: Date | null = null;
}

/** Purpose of a challenge that belongs to a session: a proof of identity, or adding a passkey. */
export type SessionPurpose = "prove-identity" | "add-passkey";

/** Purpose of a challenge: the second step of a sign-in, a sign-in with a passkey alone, or one of a session. */
type TwoStepPurpose = "sign-in" | "passkey-sign-in" | SessionPurpose;

/** A short-lived, single-use challenge for two-step sign-in. */
@Entity({ tableName: "two_step_challenges" })
export class TwoStepChallenge {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Text()
  purpose!: TwoStepPurpose;

  /** SHA-256 of the secret that proves the correct password, or for `passkey-sign-in` of the used challenge. */
  @Unique()
  @Text({ nullable: true })
  tokenHash: string | null = null;

  /** For both kinds of sign-in: the client that signs in. */
  @Text({ nullable: true })
  clientId: string | null = null;

  /** For the other purposes: the session that created the challenge. */
  @Index()
  @Reference(() => Session, { deleteRule: "cascade", nullable: true })
  session: Session | null = null;

  /** Challenge for the passkey to sign. Null if no passkey was requested, and after the attempt. */
  @LongText({ nullable: true })
  passkeyChallenge: string | null = null;

  /** Number of attempts so far, right or wrong. */
  @Integer()
  attempts: Opt<number> = 0;

  @Index()
  @Moment()
  expiresAt!: Date;

  @Moment({ nullable: true })
  spentAt: Date | null = null;
}
