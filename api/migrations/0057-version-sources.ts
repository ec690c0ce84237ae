import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the place in the files from which a build's version was read; null for earlier builds. */
export const Migration0057 = defineMigration([
  `alter table "software_builds" add column "version_source" varchar(255) null`,
]);
