import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the earlier hardware of devices, and how often a device went back to it. */
export const Migration0112 = defineMigration([
  `alter table "devices" add column "earlier_hardware" jsonb null, add column "alternations" int not null default 0, add column "alternated_at" timestamptz null`,
]);
