import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds who accepted a quote. */
export const Migration0124 = defineMigration([
  `alter table "quotes" add column "accepted_by_name" varchar(255) null, add column "accepted_by_role" varchar(255) null`,
]);
