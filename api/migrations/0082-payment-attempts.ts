import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the attempts to charge a customer's card, as the payment provider reports them. */
export const Migration0082 = defineMigration([
  `create table "payment_attempts" ("id" uuid not null, "user_id" uuid not null, "subscription_id" uuid null, "provider_charge_id" varchar(255) not null, "provider_invoice_id" varchar(255) not null, "at" timestamptz not null, "number" int not null, "amount_cents" int not null, "refunded_cents" int not null default 0, "reason" varchar(255) null, "next_retry_at" timestamptz null, "card_brand" varchar(255) null, "card_last4" varchar(255) null, primary key ("id"))`,
  `alter table "payment_attempts" add constraint "payment_attempts_provider_charge_id_unique" unique ("provider_charge_id")`,
  `create index "payment_attempts_provider_invoice_id_index" on "payment_attempts" ("provider_invoice_id")`,
  `create index payment_attempts_of_user on payment_attempts (user_id, at desc, id desc)`,
  `create index payment_attempts_of_subscription on payment_attempts (subscription_id, at desc, id desc)`,
  `alter table "payment_attempts" add constraint "payment_attempts_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
  `alter table "payment_attempts" add constraint "payment_attempts_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete set null`,
]);
