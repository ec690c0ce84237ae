import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Moment, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { Session } from "./session.entity.ts";

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
