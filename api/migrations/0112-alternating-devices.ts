import { Migration } from "@mikro-orm/migrations";

/** Adds the earlier hardware of devices, and how often a device went back to it. */
export class Migration0112 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "devices" add column "earlier_hardware" jsonb null, add column "alternations" int not null default 0, add column "alternated_at" timestamptz null`,
    );
  }
}
