import { type Opt, types } from "@mikro-orm/core";
import { Entity, OneToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** The authenticator app of an account: the active secret, and a pending one until its first code is entered. */
@Entity({ tableName: "authenticator_apps" })
export class AuthenticatorApp {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @OneToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** Sealed secret. Null until the first code has been entered. */
  @Property({ type: types.text, nullable: true })
  secret: string | null = null;

  /** When the active app was added. */
  @Property({ type: types.datetime, nullable: true })
  addedAt: Date | null = null;

  /** 30-second time step of the last accepted code. Codes for this step and earlier steps are rejected. */
  @Property({ type: types.integer, nullable: true })
  lastTimeStep: number | null = null;

  /** Sealed secret that replaces `secret` when its first code is entered. */
  @Property({ type: types.text, nullable: true })
  pendingSecret: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  pendingUntil: Date | null = null;
}
