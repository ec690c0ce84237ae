import { Migration } from "@mikro-orm/migrations";

/** Adds the indexes that the GST summary on a cash basis reads instead of the entries and documents. */
export class Migration0179 extends Migration {
  override up(): void {
    this.addSql(
      `create index journal_entries_paid on journal_entries (day) include (event, cents, gst_cents, document_id) where credit = 'receivable' and debit <> 'goodwill'`,
    );
    this.addSql(`create index tax_invoices_gst_free on tax_invoices (id) where gst_basis_points = 0`);
  }
}
