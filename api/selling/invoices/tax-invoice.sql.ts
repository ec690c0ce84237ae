import { related, type SqlReads } from "#api/platform/sql-reads/reading.ts";

/** How tax invoices are read in SQL, beside their columns. */
export const taxInvoiceSqlReads: SqlReads = {
  "User.invoices": related(
    (invoice, user) =>
      `tax_invoices ${invoice} where ${invoice}.user_id = ${user}.id order by ${invoice}.issued_at desc, ${invoice}.number desc`,
  ),
};
