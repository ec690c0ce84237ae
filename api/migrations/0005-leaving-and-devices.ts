import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the account columns for trial intent, first sign-in and account deletion. */
export const Migration0005 = defineMigration([
  `alter table "users" add column "trial_intent" boolean not null default false, add column "first_signed_in_at" timestamptz null, add column "deleted_at" timestamptz null`,
  `create index users_unconfirmed on users (registered_at) where email_confirmed_at is null`,
  `update users u set first_signed_in_at = s.first from (select user_id, min(created_at) as first from sessions group by user_id) s where s.user_id = u.id`,
]);
