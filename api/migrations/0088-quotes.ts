import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds quotes: drafts of invoices that a customer accepts with a link. */
export const Migration0088 = defineMigration([
  `create table "quotes" ("id" uuid not null, "number" varchar(255) not null, "user_id" uuid not null, "invoice_id" uuid not null, "revision" int not null, "token_hash" varchar(255) not null, "document" jsonb not null, "total_cents" int not null, "created_at" timestamptz not null, "created_by_id" uuid null, "valid_until" timestamptz not null, "accepted_at" timestamptz null, "withdrawn_at" timestamptz null, primary key ("id"))`,
  `alter table "quotes" add constraint "quotes_number_unique" unique ("number")`,
  `alter table "quotes" add constraint "quotes_token_hash_unique" unique ("token_hash")`,
  `create index "quotes_user_id_index" on "quotes" ("user_id")`,
  `create index "quotes_invoice_id_index" on "quotes" ("invoice_id")`,
  `alter table "quotes" add constraint "quotes_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
  `alter table "quotes" add constraint "quotes_invoice_id_foreign" foreign key ("invoice_id") references "manual_invoices" ("id") on delete cascade`,
]);
