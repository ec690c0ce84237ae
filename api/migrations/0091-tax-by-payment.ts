import { Migration } from "@mikro-orm/migrations";

/** Adds an index for GST on a cash basis, which counts documents by the date of payment. */
export class Migration0091 extends Migration {
  override up(): void {
    this.addSql(`create index "tax_invoices_paid" on "tax_invoices" (paid_at desc, id desc)`);
  }
}
