import { Migration } from "@mikro-orm/migrations";

/** Lets each invoice be replaced once. Writers don't wait while the index is built. */
export class Migration0125 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    const name = "tax_invoices_replaces_id_unique";
    this.addSql(`alter table tax_invoices drop constraint if exists ${name}`);
    this.addSql(`drop index concurrently if exists ${name}`);
    this.addSql(`create unique index concurrently ${name} on tax_invoices (replaces_id)`);
    this.addSql(`alter table tax_invoices add constraint ${name} unique using index ${name}`);
    this.addSql("alter table tax_invoices validate constraint tax_invoices_replaces_id_foreign");
  }
}
