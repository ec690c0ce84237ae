import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Session } from "./session.entity.ts";

/** A refresh token of a session. Stored as SHA-256 and replaced at each use. */
@Entity({ tableName: "refresh_tokens" })
export class RefreshToken {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Session, { deleteRule: "cascade" })
  session!: Session;

  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Property({ type: types.datetime })
  createdAt!: Date;

  /** When the token expires if it isn't used. Each refresh starts a new idle period. */
  @Property({ type: types.datetime })
  expiresAt!: Date;

  /** When this token was exchanged for its successor, in real time, because the grace period counts real seconds. */
  @Property({ type: types.datetime, nullable: true })
  rotatedAt: Date | null = null;
}
