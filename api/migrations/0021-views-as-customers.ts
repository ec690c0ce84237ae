import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds sessions in which an admin views the portal as a customer. */
export const Migration0021 = defineMigration([
  `alter table "sessions" add "viewer_id" uuid null, add "viewer_session_id" uuid null`,
  `alter table "sessions" add constraint "sessions_viewer_id_foreign" foreign key ("viewer_id") references "users" ("id") on delete cascade`,
  `alter table "sessions" add constraint "sessions_viewer_session_id_foreign" foreign key ("viewer_session_id") references "sessions" ("id") on delete cascade`,
  `create index "sessions_viewer_id_index" on "sessions" ("viewer_id")`,
  `create index "sessions_viewer_session_id_index" on "sessions" ("viewer_session_id")`,
  `create index sessions_open_views on sessions (expires_at) where viewer_id is not null and ended_at is null`,
]);
