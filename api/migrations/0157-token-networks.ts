import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the networks from which a personal access token is accepted. */
export const Migration0157 = defineMigration([
  `alter table "personal_access_tokens" add column "networks" text[] not null default '{}'`,
]);
