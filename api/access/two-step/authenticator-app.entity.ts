import { type Opt, types } from "@mikro-orm/core";
import { Entity, OneToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** The authenticator app of an account: its secret, and one that waits for its first code. */
@Entity({ tableName: "authenticator_apps" })
export class AuthenticatorApp {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @OneToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** Sealed; null until the first code has come. */
  @Property({ type: types.text, nullable: true })
  secret: string | null = null;

  /** When the app that counts was added. */
  @Property({ type: types.datetime, nullable: true })
  addedAt: Date | null = null;

  /** The 30-second step of the last code that was accepted; none up to it is accepted again. */
  @Property({ type: types.integer, nullable: true })
  lastTimeStep: number | null = null;

  /** Sealed; becomes `secret` with its first code. */
  @Property({ type: types.text, nullable: true })
  pendingSecret: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  pendingUntil: Date | null = null;
}
