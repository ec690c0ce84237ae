import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Creates indexes for the two foreign keys that had none. */
export const Migration0023 = defineMigration([
  `create index "leases_licence_id_index" on "leases" ("licence_id")`,
  `create index "software_channels_build_id_index" on "software_channels" ("build_id")`,
]);
