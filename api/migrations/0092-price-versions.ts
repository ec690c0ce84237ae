import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds prices with effective dates, moves of subscribers to a new price, and the quoted price of a checkout. */
export const Migration0092 = defineMigration([
  `create table "plan_price_versions" ("id" uuid not null, "plan_price_id" varchar(255) not null, "aud_cents" int not null, "usd_cents" int not null, "starts_at" timestamptz not null, "reason" varchar(500) not null, "key" uuid null, "created_at" timestamptz not null, primary key ("id"))`,
  `create index "plan_price_versions_plan_price_id_starts_at_index" on "plan_price_versions" ("plan_price_id", "starts_at")`,
  `alter table "plan_price_versions" add constraint "plan_price_versions_key_unique" unique ("key")`,
  `alter table "plan_price_versions" add constraint "plan_price_versions_plan_price_id_foreign" foreign key ("plan_price_id") references "plan_prices" ("id")`,
  `create table "price_moves" ("id" uuid not null, "key" uuid not null, "subscription_id" uuid not null, "plan_price" varchar(255) not null, "from_cents" int not null, "aud_cents" int not null, "renews_at" timestamptz not null, "state" varchar(255) not null default 'queued', "created_at" timestamptz not null, primary key ("id"))`,
  `create index "price_moves_subscription_id_index" on "price_moves" ("subscription_id")`,
  `create unique index price_moves_queued on price_moves (subscription_id) where state = 'queued'`,
  `alter table "price_moves" add constraint "price_moves_key_subscription_id_unique" unique ("key", "subscription_id")`,
  `alter table "price_moves" add constraint "price_moves_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete cascade`,
  `alter table "checkouts" add column "aud_cents" int null`,
  `alter table "subscriptions" add column "next_amount_cents" int null`,
]);
