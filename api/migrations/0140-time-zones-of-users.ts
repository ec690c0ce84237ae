import { Migration } from "@mikro-orm/migrations";

/** Adds the time zone in which a user reads emails. */
export class Migration0140 extends Migration {
  override up(): void {
    this.addSql(`alter table "users" add column "time_zone" varchar(255) null`);
  }
}
