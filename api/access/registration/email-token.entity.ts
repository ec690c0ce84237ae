import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** Action that an emailed link authorises. */
export type EmailTokenPurpose = "confirm-email" | "change-email" | "reset-password";

/** A single-use secret sent in an email link; only its SHA-256 is stored. */
@Entity({ tableName: "email_tokens" })
export class EmailToken {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Property({ type: types.string })
  purpose!: EmailTokenPurpose;

  /** Address the link was sent to. The link confirms only this address. */
  @Property({ type: types.string })
  email!: string;

  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime })
  expiresAt!: Date;

  /** When the link was used or replaced by a newer one. */
  @Property({ type: types.datetime, nullable: true })
  spentAt: Date | null = null;
}
