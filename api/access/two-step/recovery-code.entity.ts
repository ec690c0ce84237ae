import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** A single-use code that replaces a lost app or passkey. Only its SHA-256 is stored. */
@Entity({ tableName: "recovery_codes" })
export class RecoveryCode {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Unique()
  @Property({ type: types.string })
  codeHash!: string;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  usedAt: Date | null = null;
}
