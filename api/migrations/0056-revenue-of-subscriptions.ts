import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Extends the index of running subscriptions with the status, because the dashboard counts active and past due ones. */
export const Migration0056 = defineMigration([
  `drop index subscriptions_running`,
  `create index subscriptions_running on subscriptions (started_at, id) include (plan_price, amount_cents, is_cancelled_at_period_end, licence_id, status, paid_until, current_period_ends_at) where status in ('active', 'past_due')`,
]);
