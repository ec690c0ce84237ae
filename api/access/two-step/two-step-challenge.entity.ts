import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Integer, LongText, Moment, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";

/** Purpose of a challenge that belongs to a session: a proof of identity, or adding a passkey. */
export type SessionPurpose = "prove-identity" | "add-passkey";

/** Purpose of a challenge: the second step of a sign-in, a sign-in with a passkey alone, or one of a session. */
export type TwoStepPurpose = "sign-in" | "passkey-sign-in" | SessionPurpose;

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
