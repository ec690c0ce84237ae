import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A sign-in on one browser or program. Its id is the `sid` claim and is checked on every request. */
@Entity({ tableName: "sessions" })
@SqlIndex("create index sessions_open_views on sessions (expires_at) where viewer_id is not null and ended_at is null")
@SqlIndex("create index sessions_of_user on sessions (user_id, created_at desc, id desc)")
export class Session {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Text()
  clientId!: string;

  @Text()
  userAgent: Opt<string> = "";

  @Text()
  ip: Opt<string> = "";

  @Moment()
  createdAt!: Date;

  @Moment()
  lastUsedAt!: Date;

  /** When the session ends, even if it was refreshed. */
  @Moment()
  expiresAt!: Date;

  @Moment({ nullable: true })
  endedAt: Date | null = null;

  /**
   * When the user last proved their identity in this session, by signing in or by repeating the password or second step.
   * Refreshing doesn't change it. Null for a view as a customer (decision 0059).
   */
  @Moment({ nullable: true })
  provedAt: Date | null = null;

  /** Admin who is viewing the portal as `user` in this session. Null for an ordinary session (decision 0035). */
  @Index()
  @Reference(() => User, { deleteRule: "cascade", nullable: true })
  viewer: User | null = null;

  /** The admin's own session. The view ends with it. */
  @Index()
  @Reference(() => Session, { deleteRule: "cascade", nullable: true })
  viewerSession: Session | null = null;
}

/** A refresh token of a session. Stored as SHA-256 and replaced at each use. */
@Entity({ tableName: "refresh_tokens" })
export class RefreshToken {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Session, { deleteRule: "cascade" })
  session!: Session;

  @Unique()
  @Text()
  tokenHash!: string;

  @Moment()
  createdAt!: Date;

  /** When the token expires if it isn't used. Each refresh starts a new idle period. */
  @Moment()
  expiresAt!: Date;

  /** When this token was exchanged for its successor, in real time, because the grace period counts real seconds. */
  @Moment({ nullable: true })
  rotatedAt: Date | null = null;
}
