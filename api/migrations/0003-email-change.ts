import { Migration } from "@mikro-orm/migrations";

/** Adds the requested email address of an account that hasn't been confirmed yet. */
export class Migration0003 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "users" add column "pending_email" varchar(255) null, add column "email_change_handle" uuid null`,
    );
    this.addSql(`alter table "users" add constraint "users_email_change_handle_unique" unique ("email_change_handle")`);
  }
}
