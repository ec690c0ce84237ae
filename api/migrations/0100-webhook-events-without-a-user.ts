import { Migration } from "@mikro-orm/migrations";

/** Allows webhook events about no known user, such as a failed sign-in with an unknown email. */
export class Migration0100 extends Migration {
  override up(): void {
    this.addSql(`alter table "webhook_events" alter column "user_id" drop not null`);
  }
}
