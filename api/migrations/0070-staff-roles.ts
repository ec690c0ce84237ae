import { Migration } from "@mikro-orm/migrations";

/** Adds the roles of admins. Existing admins have none, which makes them owners. */
export class Migration0070 extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add column "staff_roles" text[] not null default '{}'`);
  }
}
