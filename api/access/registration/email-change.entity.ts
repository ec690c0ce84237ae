import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/**
 * An email address that can be restored with the link sent to it. A trigger on `users` reserves the address for this user
 * until the row is deleted: when the link is used, or after 7 days (decision 0012).
 */
@Entity({ tableName: "email_changes" })
export class EmailChange {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Creation order. Outside production, the clock can be moved back, so `createdAt` isn't enough. */
  @Property({ type: types.bigint, autoincrement: true })
  number!: Opt<string>;

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** The address as it was typed. */
  @Property({ type: types.string })
  oldEmail!: string;

  /** The address in lower case. */
  @Index()
  @Property({ type: types.string })
  oldSignInEmail!: string;

  /** SHA-256 of the secret in the link. */
  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime })
  expiresAt!: Date;
}
