import { Migration } from "@mikro-orm/migrations";

// The catalogue at the time of this migration. `upsertCatalogue` updates it to the current one.
const plans = [
  ["xer-standard", "Standard", 0, true, 7_495, 4_995, 71_100, 47_400],
  ["xer-plus", "Plus+", 1, true, 11_245, 7_495, 106_800, 71_200],
  ["xer-professional", "Professional", 2, false, 14_995, 9_995, 142_400, 94_900],
] as const;

/** Creates the tables for plans, promo codes and tax invoices, and adds email attachments. */
export class Migration0007 extends Migration {
  override up(): void {
    this.addSql(
      `create table "number_sequences" ("name" varchar(255) not null, "last" int not null, primary key ("name"))`,
    );
    this.addSql(
      `create table "plans" ("slug" varchar(255) not null, "name" varchar(255) not null, "product_level" smallint not null, "retiring" boolean not null, "sellable" boolean not null default true, primary key ("slug"))`,
    );
    this.addSql(
      `create table "plan_prices" ("id" varchar(255) not null, "plan_slug" varchar(255) not null, "interval" varchar(255) not null, "aud_cents" int not null, "usd_cents" int not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "plan_prices" add constraint "plan_prices_plan_slug_interval_unique" unique ("plan_slug", "interval")`,
    );
    this.addSql(
      `create table "promo_codes" ("id" uuid not null, "code" varchar(255) not null, "compared_code" varchar(255) not null, "discount_type" varchar(255) not null, "basis_points" int null, "amount_cents" int null, "expires_at" timestamptz null, "is_one_time_use_only" boolean not null default false, "created_at" timestamptz not null, "archived_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create unique index promo_codes_one_of_each on promo_codes (compared_code) where archived_at is null`);
    this.addSql(
      `create table "tax_invoices" ("id" uuid not null, "number" varchar(255) not null, "user_id" uuid not null, "kind" varchar(255) not null, "provider_invoice_id" varchar(255) null, "provider_refund_id" varchar(255) null, "issued_at" timestamptz not null, "paid_at" timestamptz null, "card_last4" varchar(255) null, "plan_price" varchar(255) null, "description" varchar(255) not null, "period_start" timestamptz null, "period_end" timestamptz null, "lines" jsonb not null, "amount_cents" int not null, "discount_cents" int not null default 0, "gst_cents" int not null, "gst_basis_points" int not null, "total_cents" int not null, "currency" varchar(255) not null default 'AUD', "seller" jsonb not null, "buyer" jsonb not null, "adjusts_id" uuid null, primary key ("id"))`,
    );
    this.addSql(`alter table "tax_invoices" add constraint "tax_invoices_number_unique" unique ("number")`);
    this.addSql(
      `alter table "tax_invoices" add constraint "tax_invoices_provider_invoice_id_unique" unique ("provider_invoice_id")`,
    );
    this.addSql(
      `alter table "tax_invoices" add constraint "tax_invoices_provider_refund_id_unique" unique ("provider_refund_id")`,
    );
    this.addSql(`create index "tax_invoices_adjusts_id_index" on "tax_invoices" ("adjusts_id")`);
    this.addSql(`create index "tax_invoices_user_id_issued_at_index" on "tax_invoices" ("user_id", "issued_at")`);
    this.addSql(
      `create table "promo_redemptions" ("id" uuid not null, "promo_code_id" uuid not null, "user_id" uuid not null, "checkout_id" uuid not null, "state" varchar(255) not null default 'held', "held_until" timestamptz null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`create index "promo_redemptions_promo_code_id_index" on "promo_redemptions" ("promo_code_id")`);
    this.addSql(`create index "promo_redemptions_user_id_index" on "promo_redemptions" ("user_id")`);
    this.addSql(
      `alter table "promo_redemptions" add constraint "promo_redemptions_checkout_id_unique" unique ("checkout_id")`,
    );
    this.addSql(`alter table "mails" add "attachment" jsonb null`);
    this.addSql(`alter table "users" add "abn" varchar(255) not null default ''`);
    this.addSql(
      `alter table "plan_prices" add constraint "plan_prices_plan_slug_foreign" foreign key ("plan_slug") references "plans" ("slug")`,
    );
    this.addSql(
      `alter table "promo_codes" add constraint "promo_codes_one_discount" check (num_nonnulls(basis_points, amount_cents) = 1)`,
    );
    this.addSql(
      `alter table "tax_invoices" add constraint "tax_invoices_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    );
    this.addSql(
      `alter table "tax_invoices" add constraint "tax_invoices_adjusts_id_foreign" foreign key ("adjusts_id") references "tax_invoices" ("id") on delete set null`,
    );
    this.addSql(
      `create or replace function "tax_invoices_tax_invoices_stay_as_issued_fn"() returns trigger as $$ begin raise exception 'A tax invoice stays as it was issued.'; end; $$ language plpgsql`,
    );
    this.addSql(
      `create trigger "tax_invoices_stay_as_issued" BEFORE UPDATE OR DELETE on "tax_invoices" for each ROW execute function "tax_invoices_tax_invoices_stay_as_issued_fn"()`,
    );
    this.addSql(
      `alter table "promo_redemptions" add constraint "promo_redemptions_promo_code_id_foreign" foreign key ("promo_code_id") references "promo_codes" ("id")`,
    );
    this.addSql(
      `alter table "promo_redemptions" add constraint "promo_redemptions_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
    );
    for (const [slug, name, level, retiring, audMonthly, usdMonthly, audYearly, usdYearly] of plans) {
      this.addSql(
        `insert into plans (slug, name, product_level, retiring) values ('${slug}', '${name}', ${level}, ${retiring})`,
      );
      this.addSql(
        `insert into plan_prices (id, plan_slug, "interval", aud_cents, usd_cents) values ('${slug}-monthly', '${slug}', 'monthly', ${audMonthly}, ${usdMonthly}), ('${slug}-yearly', '${slug}', 'yearly', ${audYearly}, ${usdYearly})`,
      );
    }
  }
}
