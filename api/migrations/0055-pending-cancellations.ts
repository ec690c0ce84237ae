import { defineMigration } from "#api/platform/database/define-migration.ts";

/**
 * Adds a column that marks the subscriptions of archived accounts still to be cancelled or refunded at the payment
 * provider.
 */
export const Migration0055 = defineMigration([
  `alter table "subscriptions" add column "cancellation_pending_since" timestamptz null`,
  `create index subscriptions_cancellation_pending on subscriptions (cancellation_pending_since, id) where cancellation_pending_since is not null`,
]);
