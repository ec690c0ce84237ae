import { defineMigration } from "#api/platform/database/define-migration.ts";

/**
 * Adds the indexes that the GST summary on a cash basis reads instead of the entries and documents. Writers don't wait
 * while they are built.
 */
export const Migration0179 = defineMigration(
  "0179-indexes-of-paid-entries",
  [
    "drop index concurrently if exists journal_entries_paid",
    `create index concurrently journal_entries_paid on journal_entries (day) include (event, cents, gst_cents, document_id) where credit = 'receivable' and debit <> 'goodwill'`,
    "drop index concurrently if exists tax_invoices_gst_free",
    "create index concurrently tax_invoices_gst_free on tax_invoices (id) where gst_basis_points = 0",
  ],
  { isTransactional: false },
);
