import { Migration } from "@mikro-orm/migrations";

/** Adds the last reminder of an invoice by hand, as days after its due date. */
export class Migration0087 extends Migration {
  override up(): void {
    this.addSql(`alter table "manual_invoices" add column "reminded_days" int null`);
  }
}
