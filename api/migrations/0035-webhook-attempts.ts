import { Migration } from "@mikro-orm/migrations";

/**
 * Adds the latest time at which an attempt can still be running; null once it has ended. Each row is written before the
 * request is sent (decision 0051).
 */
export class Migration0035 extends Migration {
  override up(): void {
    this.addSql(`alter table "webhook_attempts" add column "open_until" timestamptz null`);
  }
}
