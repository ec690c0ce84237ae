import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";

/** What an open question is for: the second step of a sign-in, proving oneself in a session, adding a passkey. */
export type TwoStepPurpose = "sign-in" | "prove-identity" | "add-passkey";

/** An open question of two-step sign-in: short-lived, for one purpose, answered once. */
@Entity({ tableName: "two_step_challenges" })
export class TwoStepChallenge {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Property({ type: types.string })
  purpose!: TwoStepPurpose;

  /** With `sign-in`: SHA-256 of the secret that stands for the right password. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  tokenHash: string | null = null;

  /** With `sign-in`: the program that signs in. */
  @Property({ type: types.string, nullable: true })
  clientId: string | null = null;

  /** With the other purposes: the session that was asked. */
  @Index()
  @ManyToOne(() => Session, { deleteRule: "cascade", nullable: true })
  session: Session | null = null;

  /** What the passkey has to sign; null when none was asked for, and once it was answered. */
  @Property({ type: types.text, nullable: true })
  passkeyChallenge: string | null = null;

  /** Answers so far, right or wrong. */
  @Property({ type: types.integer })
  attempts: Opt<number> = 0;

  @Index()
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  spentAt: Date | null = null;
}
