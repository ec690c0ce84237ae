import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Allows webhook events about no known user, such as a failed sign-in with an unknown email. */
export const Migration0100 = defineMigration([`alter table "webhook_events" alter column "user_id" drop not null`]);
