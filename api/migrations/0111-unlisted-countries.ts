import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the country that was stored before countries were a closed list. The sweep `unify-stored-users` fills it. */
export const Migration0111 = defineMigration([`alter table "users" add column "unlisted_country" varchar(255) null`]);
