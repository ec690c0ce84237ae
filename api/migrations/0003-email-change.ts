import { Migration } from "@mikro-orm/migrations";

/** Adds columns for an account's new email address while it is waiting for confirmation. */
export class Migration0003 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "users" add column "pending_email" varchar(255) null, add column "email_change_handle" uuid null`,
    );
    this.addSql(`alter table "users" add constraint "users_email_change_handle_unique" unique ("email_change_handle")`);
  }
}
