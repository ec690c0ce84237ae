import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Adds the price list of seats of corporate licences. It is empty until staff set prices. */
export const Migration0146 = defineMigration([
  `create table "seat_prices" ("id" uuid not null, "product_level" smallint not null, "term" smallint not null, "aud_cents" int not null, primary key ("id"))`,
  `alter table "seat_prices" add constraint "seat_prices_product_level_term_unique" unique ("product_level", "term")`,
]);
