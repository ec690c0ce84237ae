import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { Moment, Reference, RowId } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * A user's details form that an admin has open in a browser tab. Kept by heartbeats until `expiresAt`, by the database's
 * clock. The table is unlogged, because losing it in a crash only hides a note for some seconds.
 */
@Entity({ tableName: "open_forms" })
export class OpenForm {
  /** The user whose details the form edits. */
  @RowId()
  subjectId!: string;

  /** Random id of the browser tab. */
  @RowId()
  tabId!: string;

  /** The admin who has the form open. */
  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Moment()
  openedAt!: Date;

  @Index()
  @Moment()
  expiresAt!: Date;
}
