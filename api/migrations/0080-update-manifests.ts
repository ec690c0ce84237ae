import { defineMigration } from "#api/platform/database/define-migration.ts";

/**
 * Adds the number of a stage's offer and its manifest signed offline, the request for publishing a build by a second admin,
 * and the signature of a build's installer; null for builds uploaded before it was checked.
 */
export const Migration0080 = defineMigration([
  `alter table "software_channels" add column "sequence" int not null default 0`,
  `alter table "software_channels" add column "manifest" text null`,
  `alter table "software_builds" add column "signature" jsonb null`,
  `alter table "software_builds" add column "publishing_requested_by_id" uuid null`,
  `alter table "software_builds" add column "publishing_requested_at" timestamptz null`,
  `alter table "software_builds" add constraint "software_builds_publishing_requested_by_id_foreign" foreign key ("publishing_requested_by_id") references "users" ("id") on delete set null`,
  `create index "software_builds_publishing_requested_by_id_index" on "software_builds" ("publishing_requested_by_id")`,
]);
