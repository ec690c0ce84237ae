import { Migration } from "@mikro-orm/migrations";

/**
 * Adds the indexes that the GST summary on a cash basis reads instead of the entries and documents. Writers don't wait
 * while they are built.
 */
export class Migration0179 extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql("drop index concurrently if exists journal_entries_paid");
    this.addSql(
      `create index concurrently journal_entries_paid on journal_entries (day) include (event, cents, gst_cents, document_id) where credit = 'receivable' and debit <> 'goodwill'`,
    );
    this.addSql("drop index concurrently if exists tax_invoices_gst_free");
    this.addSql("create index concurrently tax_invoices_gst_free on tax_invoices (id) where gst_basis_points = 0");
  }
}
