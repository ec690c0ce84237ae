import { Migration } from "@mikro-orm/migrations";

/** Adds invoices by hand, payments received and credits, and the terms of an invoice by hand on tax invoices. */
export class Migration0086 extends Migration {
  override up(): void {
    this.addSql(`alter table "tax_invoices" add column "due_at" timestamptz null`);
    this.addSql(`alter table "tax_invoices" add column "purchase_order" varchar(255) null`);
    this.addSql(`alter table "tax_invoices" add column "credit_cents" int not null default 0`);
    this.addSql(
      `create table "manual_invoices" ("id" uuid not null, "key" varchar(255) not null, "user_id" uuid not null, "status" varchar(255) not null default 'draft', "lines" jsonb not null, "gst_basis_points" int not null, "amount_cents" int not null, "gst_cents" int not null, "total_cents" int not null, "credit_cents" int not null default 0, "paid_cents" int not null default 0, "due_at" timestamptz null, "purchase_order" varchar(255) null, "licence_terms" jsonb null, "licence_id" uuid null, "tax_invoice_id" uuid null, "void_note_id" uuid null, "void_reason" text null, "created_at" timestamptz not null, "created_by_id" uuid null, "opened_at" timestamptz null, "paid_at" timestamptz null, "voided_at" timestamptz null, "revision" int not null default 1, primary key ("id"))`,
    );
    this.addSql(`alter table "manual_invoices" add constraint "manual_invoices_key_unique" unique ("key")`);
    this.addSql(
      `alter table "manual_invoices" add constraint "manual_invoices_tax_invoice_id_unique" unique ("tax_invoice_id")`,
    );
    this.addSql(
      `alter table "manual_invoices" add constraint "manual_invoices_void_note_id_unique" unique ("void_note_id")`,
    );
    this.addSql(`create index "manual_invoices_user_id_index" on "manual_invoices" ("user_id")`);
    this.addSql(`create index "manual_invoices_licence_id_index" on "manual_invoices" ("licence_id")`);
    this.addSql(`create index manual_invoices_due on manual_invoices (due_at, id) where status = 'open'`);
    this.addSql(
      `create index manual_invoices_drafts on manual_invoices (created_at desc, id desc) where status = 'draft'`,
    );
    this.addSql(
      `create table "received_payments" ("id" uuid not null, "key" varchar(255) not null, "user_id" uuid not null, "invoice_id" uuid not null, "method" varchar(255) not null, "amount_cents" int not null, "applied_cents" int not null, "credit_cents" int not null, "received_at" timestamptz not null, "reference" varchar(255) null, "provider_payment_id" varchar(255) null, "recorded_at" timestamptz not null, "recorded_by_id" uuid null, primary key ("id"))`,
    );
    this.addSql(`alter table "received_payments" add constraint "received_payments_key_unique" unique ("key")`);
    this.addSql(
      `alter table "received_payments" add constraint "received_payments_provider_payment_id_unique" unique ("provider_payment_id")`,
    );
    this.addSql(`create index "received_payments_user_id_index" on "received_payments" ("user_id")`);
    this.addSql(`create index "received_payments_invoice_id_index" on "received_payments" ("invoice_id")`);
    this.addSql(`create index "received_payments_received_at_index" on "received_payments" ("received_at")`);
    this.addSql(
      `create table "credit_entries" ("id" uuid not null, "key" varchar(255) null, "user_id" uuid not null, "kind" varchar(255) not null, "amount_cents" int not null, "reason" text not null, "invoice_id" uuid null, "created_at" timestamptz not null, "created_by_id" uuid null, primary key ("id"))`,
    );
    this.addSql(`alter table "credit_entries" add constraint "credit_entries_key_unique" unique ("key")`);
    this.addSql(`create index "credit_entries_user_id_created_at_index" on "credit_entries" ("user_id", "created_at")`);
    this.addSql(`create index "credit_entries_invoice_id_index" on "credit_entries" ("invoice_id")`);
    for (const [table, column, owner] of [
      ["manual_invoices", "user_id", "users"],
      ["manual_invoices", "licence_id", "licences"],
      ["manual_invoices", "tax_invoice_id", "tax_invoices"],
      ["manual_invoices", "void_note_id", "tax_invoices"],
      ["received_payments", "user_id", "users"],
      ["received_payments", "invoice_id", "manual_invoices"],
      ["credit_entries", "user_id", "users"],
      ["credit_entries", "invoice_id", "manual_invoices"],
    ] as const)
      this.addSql(
        `alter table "${table}" add constraint "${table}_${column}_foreign" foreign key ("${column}") references "${owner}" ("id")${column === "licence_id" || column.endsWith("note_id") || column === "tax_invoice_id" || (table === "credit_entries" && column === "invoice_id") ? " on delete set null" : ""}`,
      );
  }
}
