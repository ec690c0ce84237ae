import { Migration } from "@mikro-orm/migrations";

/** Adds when a session's user last proved their identity. Sessions that are already open have no proof. */
export class Migration0069 extends Migration {
  override up(): void {
    this.addSql(`alter table "sessions" add column "proved_at" timestamptz null`);
  }
}
