import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds when a session's user last proved their identity. Sessions that are already open have no proof. */
export const Migration0069 = defineMigration([`alter table "sessions" add column "proved_at" timestamptz null`]);
