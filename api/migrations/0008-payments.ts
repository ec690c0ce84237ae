import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the payment provider's customer IDs, subscriptions, checkouts and webhook notices. */
export const Migration0008 = defineMigration([
  `create table "payment_customers" ("user_id" uuid not null, "provider_customer_id" varchar(255) not null, "last_read" bigint not null default '0', "last_applied" bigint not null default '0', primary key ("user_id"))`,
  `alter table "payment_customers" add constraint "payment_customers_provider_customer_id_unique" unique ("provider_customer_id")`,
  `alter table "payment_customers" add constraint "payment_customers_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade`,
  `create table "checkouts" ("id" uuid not null, "user_id" uuid not null, "request_key" varchar(255) null, "plan_price" varchar(255) not null, "promo_code" varchar(255) null, "state" varchar(255) not null default 'open', "payment_method_id" varchar(255) null, "provider_subscription_id" varchar(255) null, "gst_basis_points" int not null, "discount_cents" int not null, "total_cents" int not null, "message" varchar(255) null, "created_at" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
  `create index "checkouts_user_id_index" on "checkouts" ("user_id")`,
  `alter table "checkouts" add constraint "checkouts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
  `create unique index checkouts_one_open_a_user on checkouts (user_id) where state in ('open', 'needs_authentication')`,
  `create unique index checkouts_request_key on checkouts (user_id, request_key) where request_key is not null`,
  `create table "subscription_changes" ("id" uuid not null, "subscription_id" uuid not null, "plan_price" varchar(255) not null, "reckoned_at" timestamptz not null, "due_cents" int not null, "done_at" timestamptz null, primary key ("id"))`,
  `create index "subscription_changes_subscription_id_index" on "subscription_changes" ("subscription_id")`,
  `alter table "subscription_changes" add constraint "subscription_changes_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete cascade`,
  `create table "payment_notices" ("id" varchar(255) not null, "type" varchar(255) not null, "customer_id" varchar(255) null, "charge_id" varchar(255) null, "created_at" timestamptz not null, "received_at" timestamptz not null, "applied_at" timestamptz null, primary key ("id"))`,
  `create index payment_notices_waiting on payment_notices (received_at) where applied_at is null`,
  `alter table "subscriptions" add column "provider_subscription_id" varchar(255) null, add column "amount_cents" int null, add column "is_cancelled_at_period_end" boolean not null default false, add column "next_plan_price" varchar(255) null, add column "paid_until" timestamptz null, add column "ended_at" timestamptz null, add column "disputed_at" timestamptz null, add column "card_brand" varchar(255) null, add column "card_last4" varchar(255) null, add column "card_expires" varchar(255) null, add column "gst_basis_points" int not null default 0`,
  `alter table "subscriptions" add constraint "subscriptions_provider_subscription_id_unique" unique ("provider_subscription_id")`,
]);
