import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";

/** Purpose of a challenge: the second step of a sign-in, a proof of identity during a session, or adding a passkey. */
export type TwoStepPurpose = "sign-in" | "prove-identity" | "add-passkey";

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

  /** For `sign-in`: SHA-256 of the secret that proves the correct password. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  tokenHash: string | null = null;

  /** For `sign-in`: the client that signs in. */
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
