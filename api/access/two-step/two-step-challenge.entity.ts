import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";

/** Purpose of a challenge that belongs to a session: a proof of identity, or adding a passkey. */
export type SessionPurpose = "prove-identity" | "add-passkey";

/** Purpose of a challenge: the second step of a sign-in, a sign-in with a passkey alone, or one of a session. */
export type TwoStepPurpose = "sign-in" | "passkey-sign-in" | SessionPurpose;

/** A short-lived, single-use challenge for two-step sign-in. */
@Entity({ tableName: "two_step_challenges" })
export class TwoStepChallenge {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Property({ type: types.string })
  purpose!: TwoStepPurpose;

  /** SHA-256 of the secret that proves the correct password, or for `passkey-sign-in` of the used challenge. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  tokenHash: string | null = null;

  /** For both kinds of sign-in: the client that signs in. */
  @Property({ type: types.string, nullable: true })
  clientId: string | null = null;

  /** For the other purposes: the session that created the challenge. */
  @Index()
  @ManyToOne(() => Session, { deleteRule: "cascade", nullable: true })
  session: Session | null = null;

  /** Challenge for the passkey to sign. Null if no passkey was requested, and after the attempt. */
  @Property({ type: types.text, nullable: true })
  passkeyChallenge: string | null = null;

  /** Number of attempts so far, right or wrong. */
  @Property({ type: types.integer })
  attempts: Opt<number> = 0;

  @Index()
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  spentAt: Date | null = null;
}
