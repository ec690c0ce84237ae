import { Migration } from "@mikro-orm/migrations";

/** The index of running subscriptions also covers what tells active from past-due ones, which the dashboard counts. */
export class Migration0056 extends Migration {
  override up(): void {
    this.addSql(`drop index subscriptions_running`);
    this.addSql(
      `create index subscriptions_running on subscriptions (started_at, id) include (plan_price, amount_cents, is_cancelled_at_period_end, licence_id, status, paid_until, current_period_ends_at) where status in ('active', 'past_due')`,
    );
  }
}
