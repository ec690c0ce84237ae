import { Migration } from "@mikro-orm/migrations";
import { brand } from "#schema/brand.ts";

/**
 * Days are those of the vendor's time zone. What was added up by days of UTC is marked so, and `countActivity` adds it up
 * again; scheduled reports that waited for a midnight of UTC wait for the vendor's midnight of the same day.
 */
export class Migration0062 extends Migration {
  override up(): void {
    this.addSql(`alter table "activity_progress" add column "time_zone" varchar(255) not null default 'UTC'`);
    this.addSql(`alter table "activity_progress" alter column "time_zone" drop default`);
    this.addSql(
      `update "saved_reports" set "next_run_at" = ("next_run_at" at time zone 'UTC') at time zone '${brand.timeZone}'
        where "next_run_at" is not null`,
    );
  }
}
