import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
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
