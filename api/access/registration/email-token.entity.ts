import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Unique, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Moment, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Action that an emailed link authorises. */
export type EmailTokenPurpose = "confirm-email" | "change-email" | "reset-password" | "not-me";

/** A single-use secret sent in an email link; only its SHA-256 is stored. */
@Entity({ tableName: "email_tokens" })
export class EmailToken {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Text()
  purpose!: EmailTokenPurpose;

  /** Address the link was sent to. The link confirms only this address. */
  @Text()
  email!: string;

  @Unique()
  @Text()
  tokenHash!: string;

  @Moment()
  createdAt!: Date;

  @Moment()
  expiresAt!: Date;

  /** When the link was used or replaced by a newer one. */
  @Moment({ nullable: true })
  spentAt: Date | null = null;
}

/**
 * An email address that can be restored with the link sent to it. A trigger on `users` reserves the address for this user
 * until the row is deleted: when the link is used, or after 7 days (decision 0012).
 */
@Entity({ tableName: "email_changes" })
export class EmailChange {
  @RowId()
  id: Opt<string> = randomUUID();

  /** Creation order. Outside production, the clock can be moved back, so `createdAt` isn't enough. */
  @Property({ type: types.bigint, autoincrement: true })
  number!: Opt<string>;

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  /** The address as it was typed. */
  @Text()
  oldEmail!: string;

  /** The address in lower case. */
  @Index()
  @Text()
  oldSignInEmail!: string;

  /** SHA-256 of the secret in the link. */
  @Unique()
  @Text()
  tokenHash!: string;

  @Moment()
  createdAt!: Date;

  @Moment()
  expiresAt!: Date;
}
