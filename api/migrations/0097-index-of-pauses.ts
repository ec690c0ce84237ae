import { Migration } from "@mikro-orm/migrations";

/** Adds the index of paused subscriptions, for the sweep that ends pauses. Writers don't wait while it is built. */
export class Migration0097 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists subscriptions_paused");
    this.addSql(
      `create index concurrently subscriptions_paused on subscriptions (paused_until, id) where paused_until is not null`,
    );
  }
}
