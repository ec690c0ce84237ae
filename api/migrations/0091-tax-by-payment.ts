import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds an index for GST on a cash basis, which counts documents by the date of payment. */
export const Migration0091 = defineMigration([
  `create index "tax_invoices_paid" on "tax_invoices" (paid_at desc, id desc)`,
]);
