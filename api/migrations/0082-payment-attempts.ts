import { Migration } from "@mikro-orm/migrations";

/** Adds the attempts to charge a customer's card, as the payment provider reports them. */
export class Migration0082 extends Migration {
  override up(): void {
    this.addSql(
      `create table "payment_attempts" ("id" uuid not null, "user_id" uuid not null, "subscription_id" uuid null, "provider_charge_id" varchar(255) not null, "provider_invoice_id" varchar(255) not null, "at" timestamptz not null, "number" int not null, "amount_cents" int not null, "refunded_cents" int not null default 0, "reason" varchar(255) null, "next_retry_at" timestamptz null, "card_brand" varchar(255) null, "card_last4" varchar(255) null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "payment_attempts" add constraint "payment_attempts_provider_charge_id_unique" unique ("provider_charge_id")`,
    );
    this.addSql(
      `create index "payment_attempts_provider_invoice_id_index" on "payment_attempts" ("provider_invoice_id")`,
    );
    this.addSql(`create index payment_attempts_of_user on payment_attempts (user_id, at desc, id desc)`);
    this.addSql(
      `create index payment_attempts_of_subscription on payment_attempts (subscription_id, at desc, id desc)`,
    );
    this.addSql(
      `alter table "payment_attempts" add constraint "payment_attempts_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    );
    this.addSql(
      `alter table "payment_attempts" add constraint "payment_attempts_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete set null`,
    );
  }
}
