import { defineMigration } from "#api/platform/database/define-migration.ts";

/**
 * Creates the table of detached months of licence events. A month is dropped after a week unless it is attached again.
 */
export const Migration0040 = defineMigration([
  `create table "detached_event_months" ("name" varchar(255) not null, "starts_at" timestamptz not null, "ends_at" timestamptz not null, "detached_at" timestamptz not null, "dropped_at" timestamptz null, primary key ("name"))`,
]);
