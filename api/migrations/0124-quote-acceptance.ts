import { Migration } from "@mikro-orm/migrations";

/** Adds who accepted a quote. */
export class Migration0124 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "quotes" add column "accepted_by_name" varchar(255) null, add column "accepted_by_role" varchar(255) null`,
    );
  }
}
