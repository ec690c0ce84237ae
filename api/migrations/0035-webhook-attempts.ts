import { defineMigration } from "#api/platform/database/define-migration.ts";

/**
 * Adds the latest time at which an attempt can still be running; null once it has ended. Each row is written before the
 * request is sent (decision 0051).
 */
export const Migration0035 = defineMigration([
  `alter table "webhook_attempts" add column "open_until" timestamptz null`,
]);
