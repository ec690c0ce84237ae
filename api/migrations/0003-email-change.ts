import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds columns for an account's new email address while it is waiting for confirmation. */
export const Migration0003 = defineMigration([
  `alter table "users" add column "pending_email" varchar(255) null, add column "email_change_handle" uuid null`,
  `alter table "users" add constraint "users_email_change_handle_unique" unique ("email_change_handle")`,
]);
