import { Migration } from "@mikro-orm/migrations";

/**
 * Links a re-issued invoice to the invoice that it replaces. Each invoice is replaced once. Payments and credit keep the
 * document that they were recorded for, so that a re-issue doesn't change earlier entries.
 */
export class Migration0120 extends Migration {
  override up(): void {
    this.addSql(`alter table "tax_invoices" add column "replaces_id" uuid null`);
    this.addSql(
      `alter table "tax_invoices" add constraint "tax_invoices_replaces_id_foreign" foreign key ("replaces_id") references "tax_invoices" ("id") on delete set null not valid`,
    );
    for (const table of ["received_payments", "credit_entries"]) {
      this.addSql(`alter table "${table}" add column "tax_invoice_id" uuid null`);
      this.addSql(
        `alter table "${table}" add constraint "${table}_tax_invoice_id_foreign" foreign key ("tax_invoice_id") references "tax_invoices" ("id") on delete set null`,
      );
      this.addSql(`create index "${table}_tax_invoice_id_index" on "${table}" ("tax_invoice_id")`);
      this.addSql(
        `update "${table}" p set tax_invoice_id = m.tax_invoice_id from manual_invoices m where m.id = p.invoice_id`,
      );
    }
  }
}
