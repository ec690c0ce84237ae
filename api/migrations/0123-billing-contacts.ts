import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds who else gets a customer's invoices, and the purchase order number of new ones. */
export const Migration0123 = defineMigration([
  `create table "billing_contacts" ("id" uuid not null, "user_id" uuid not null, "name" varchar(255) not null default '', "email" varchar(255) not null default '', "second_email" varchar(255) not null default '', "purchase_order" varchar(255) not null default '', primary key ("id"))`,
  `alter table "billing_contacts" add constraint "billing_contacts_user_id_unique" unique ("user_id")`,
  `alter table "billing_contacts" add constraint "billing_contacts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
]);
