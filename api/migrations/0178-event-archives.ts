import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the progress of archives to the detached months of licence events. */
export const Migration0178 = defineMigration("0178-event-archives", [
  `alter table "detached_event_months" add column "archived_at" timestamptz null, add column "archived_files" int not null default 0, add column "archived_events" bigint not null default 0, add column "archived_to_id" bigint not null default 0, add column "kept_until" timestamptz null`,
]);
