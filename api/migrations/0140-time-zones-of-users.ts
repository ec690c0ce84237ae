import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the time zone in which a user reads emails. */
export const Migration0140 = defineMigration([`alter table "users" add column "time_zone" varchar(255) null`]);
