import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Moment, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A single-use code that replaces a lost app or passkey. Only its SHA-256 is stored. */
@Entity({ tableName: "recovery_codes" })
export class RecoveryCode {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Unique()
  @Text()
  codeHash!: string;

  @Moment()
  createdAt!: Date;

  @Moment({ nullable: true })
  usedAt: Date | null = null;
}
