import { Migration } from "@mikro-orm/migrations";

/** Adds the index that counts the charges of the last days. Writers don't wait while it is built. */
export class Migration0135 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists payment_attempts_newest");
    this.addSql("create index concurrently payment_attempts_newest on payment_attempts (at)");
  }
}
