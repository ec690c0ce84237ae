import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the roles of admins. Existing admins have none, which makes them owners. */
export const Migration0070 = defineMigration([
  `alter table "users" add column "staff_roles" text[] not null default '{}'`,
]);
