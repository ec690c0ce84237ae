import { Migration } from "@mikro-orm/migrations";

/** Adds the day through which the accounts are locked. */
export class Migration0121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "period_locks" ("id" int not null, "locked_through" date null, "reason" text null, "changed_at" timestamptz null, "changed_by_id" uuid null, primary key ("id"))`,
    );
    this.addSql(`insert into period_locks (id) values (1)`);
  }
}
