import { Migration } from "@mikro-orm/migrations";

/** Adds refunds by staff. */
export class Migration0083 extends Migration {
  override up(): void {
    this.addSql(
      `create table "refunds" ("id" uuid not null, "key" uuid not null, "user_id" uuid not null, "tax_invoice_id" uuid not null, "amount_cents" int not null, "gst_cents" int not null, "licence" varchar(255) not null, "reason" text not null, "is_to_card" boolean not null, "status" varchar(255) not null, "failure" varchar(255) null, "provider_refund_id" varchar(255) null, "adjustment_note_id" uuid null, "requested_by_id" uuid not null, "created_at" timestamptz not null, "finished_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`alter table "refunds" add constraint "refunds_key_unique" unique ("key")`);
    for (const column of ["user_id", "tax_invoice_id", "adjustment_note_id", "requested_by_id"])
      this.addSql(`create index "refunds_${column}_index" on "refunds" ("${column}")`);
    this.addSql(`create index refunds_pending on refunds (created_at) where status = 'PENDING'`);
    this.addSql(
      `alter table "refunds" add constraint "refunds_user_id_foreign" foreign key ("user_id") references "users" ("id"), add constraint "refunds_requested_by_id_foreign" foreign key ("requested_by_id") references "users" ("id")`,
    );
    this.addSql(
      `alter table "refunds" add constraint "refunds_tax_invoice_id_foreign" foreign key ("tax_invoice_id") references "tax_invoices" ("id"), add constraint "refunds_adjustment_note_id_foreign" foreign key ("adjustment_note_id") references "tax_invoices" ("id") on delete set null`,
    );
  }
}
