import { Migration } from "@mikro-orm/migrations";

/** Marks subscriptions of archived accounts that the payment provider still has to cancel or refund. */
export class Migration0055 extends Migration {
  override up(): void {
    this.addSql(`alter table "subscriptions" add column "cancellation_pending_since" timestamptz null`);
    this.addSql(
      `create index subscriptions_cancellation_pending on subscriptions (cancellation_pending_since, id) where cancellation_pending_since is not null`,
    );
  }
}
