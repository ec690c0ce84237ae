import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the last reminder of an invoice by hand, as days after its due date. */
export const Migration0087 = defineMigration([`alter table "manual_invoices" add column "reminded_days" int null`]);
