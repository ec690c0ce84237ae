import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Reserves the prefix of sandbox codes: no licence code may start with it (decision 0054). */
export const Migration0034 = defineMigration([
  `alter table "licences" add constraint "licences_no_sandbox_code" check (licence_code not like 'SANDB-00%')`,
]);
