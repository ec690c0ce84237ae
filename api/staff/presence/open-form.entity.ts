import { types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { User } from "#api/people/users/user.entity.ts";

/**
 * A user's details form that an admin has open in a browser tab. Kept by heartbeats until `expiresAt`, by the database's
 * clock. The table is unlogged, because losing it in a crash only hides a note for some seconds.
 */
@Entity({ tableName: "open_forms" })
export class OpenForm {
  /** The user whose details the form edits. */
  @PrimaryKey({ type: types.uuid })
  subjectId!: string;

  /** Random id of the browser tab. */
  @PrimaryKey({ type: types.uuid })
  tabId!: string;

  /** The admin who has the form open. */
  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Property({ type: types.datetime })
  openedAt!: Date;

  @Index()
  @Property({ type: types.datetime })
  expiresAt!: Date;
}
