import { Migration } from "@mikro-orm/migrations";

/** Adds payments of invoices by card, and where a refund of one goes. */
export class Migration0096 extends Migration {
  override up(): void {
    this.addSql(
      `create table "card_payments" ("id" uuid not null, "key" varchar(255) not null, "user_id" uuid not null, "invoice_id" uuid not null, "amount_cents" int not null, "payment_method_id" varchar(255) null, "state" varchar(255) not null, "provider_payment_id" varchar(255) null, "message" varchar(255) null, "created_at" timestamptz not null, "finished_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`alter table "card_payments" add constraint "card_payments_key_unique" unique ("key")`);
    for (const column of ["user_id", "invoice_id"])
      this.addSql(`create index "card_payments_${column}_index" on "card_payments" ("${column}")`);
    this.addSql(
      `create unique index card_payments_one_waiting on card_payments (invoice_id) where state in ('pending', 'needs_authentication')`,
    );
    this.addSql(
      `alter table "card_payments" add constraint "card_payments_user_id_foreign" foreign key ("user_id") references "users" ("id"), add constraint "card_payments_invoice_id_foreign" foreign key ("invoice_id") references "manual_invoices" ("id")`,
    );
  }
}
