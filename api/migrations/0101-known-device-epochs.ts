import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the number of times that a user was signed out everywhere, which makes earlier cookies of known devices invalid. */
export const Migration0101 = defineMigration([
  `alter table "users" add column "known_device_epoch" int not null default 0`,
]);
