import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** A sign-in on one browser or program. Its id is the `sid` claim and is checked on every request. */
@Entity({ tableName: "sessions" })
@Index({
  name: "sessions_open_views",
  expression:
    "create index sessions_open_views on sessions (expires_at) where viewer_id is not null and ended_at is null",
})
@Index({
  name: "sessions_of_user",
  expression: "create index sessions_of_user on sessions (user_id, created_at desc, id desc)",
})
export class Session {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Property({ type: types.string })
  clientId!: string;

  @Property({ type: types.string })
  userAgent: Opt<string> = "";

  @Property({ type: types.string })
  ip: Opt<string> = "";

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime })
  lastUsedAt!: Date;

  /** When the session ends, even if it was refreshed. */
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;

  /**
   * When the user last proved their identity in this session, by signing in or by repeating the password or second step.
   * Refreshing doesn't change it. Null for a view as a customer (decision 0059).
   */
  @Property({ type: types.datetime, nullable: true })
  provedAt: Date | null = null;

  /** Admin who is viewing the portal as `user` in this session. Null for an ordinary session (decision 0035). */
  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade", nullable: true })
  viewer: User | null = null;

  /** The admin's own session. The view ends with it. */
  @Index()
  @ManyToOne(() => Session, { deleteRule: "cascade", nullable: true })
  viewerSession: Session | null = null;
}
