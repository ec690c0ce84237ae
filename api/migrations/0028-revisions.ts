import { Migration } from "@mikro-orm/migrations";

/** Adds revision counters, which detect concurrent edits of a contact or promo code (decision 0031). */
export class Migration0028 extends Migration {
  override up(): void {
    this.addSql(`alter table "contacts" add "revision" int not null default 1`);
    this.addSql(`alter table "promo_codes" add "revision" int not null default 1`);
  }
}
