import { Migration } from "@mikro-orm/migrations";

/** Attempts are written before they are made (decision 0051): until when one may be under way, null once it is over. */
export class Migration0035 extends Migration {
  override up(): void {
    this.addSql(`alter table "webhook_attempts" add column "open_until" timestamptz null`);
  }
}
