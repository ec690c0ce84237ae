import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds revision counters, which detect concurrent edits of a contact or promo code (decision 0031). */
export const Migration0028 = defineMigration([
  `alter table "contacts" add "revision" int not null default 1`,
  `alter table "promo_codes" add "revision" int not null default 1`,
]);
