import type { Opt } from "@mikro-orm/core";
import { Entity, OneToOne } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Integer, LongText, Moment, RowId } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

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
