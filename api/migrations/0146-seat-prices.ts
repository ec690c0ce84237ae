import { Migration } from "@mikro-orm/migrations";

/** Adds the price list of seats of corporate licences. It is empty until staff set prices. */
export class Migration0146 extends Migration {
  override up(): void {
    this.addSql(
      `create table "seat_prices" ("id" uuid not null, "product_level" smallint not null, "term" smallint not null, "aud_cents" int not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "seat_prices" add constraint "seat_prices_product_level_term_unique" unique ("product_level", "term")`,
    );
  }
}
