import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds customers' reasons for cancelling a subscription. */
export const Migration0067 = defineMigration([
  `create table subscription_cancellations (id uuid not null, subscription_id uuid not null, cancelled_at timestamptz not null, reason varchar(255) null, comment text null, withdrawn_at timestamptz null, primary key (id))`,
  `create index subscription_cancellations_subscription_id_index on subscription_cancellations (subscription_id)`,
  `create unique index subscription_cancellations_in_force on subscription_cancellations (subscription_id) where withdrawn_at is null`,
  `alter table subscription_cancellations add constraint subscription_cancellations_subscription_id_foreign foreign key (subscription_id) references subscriptions (id) on delete cascade`,
]);
