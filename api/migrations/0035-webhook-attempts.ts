import { Migration } from "@mikro-orm/migrations";

/** Adds the time until which an attempt may be running; null once it has ended. Rows are written first (decision 0051). */
export class Migration0035 extends Migration {
  override up(): void {
    this.addSql(`alter table "webhook_attempts" add column "open_until" timestamptz null`);
  }
}
