import { Migration } from "@mikro-orm/migrations";

/**
 * Adds a mark to subscriptions of archived accounts that still have to be cancelled or refunded at the payment
 * provider.
 */
export class Migration0055 extends Migration {
  override up(): void {
    this.addSql(`alter table "subscriptions" add column "cancellation_pending_since" timestamptz null`);
    this.addSql(
      `create index subscriptions_cancellation_pending on subscriptions (cancellation_pending_since, id) where cancellation_pending_since is not null`,
    );
  }
}
