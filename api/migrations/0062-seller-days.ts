import { defineMigration } from "#api/platform/database/define-migration.ts";
import { brand } from "#schema/brand.ts";

/**
 * Changes days from UTC to the vendor's time zone. Existing totals are marked as UTC, and `countActivity` calculates them
 * again. Scheduled reports move from midnight UTC to the vendor's midnight on the same day.
 */
export const Migration0062 = defineMigration([
  `alter table "activity_progress" add column "time_zone" varchar(255) not null default 'UTC'`,
  `alter table "activity_progress" alter column "time_zone" drop default`,
  `update "saved_reports" set "next_run_at" = ("next_run_at" at time zone 'UTC') at time zone '${brand.timeZone}'
        where "next_run_at" is not null`,
]);
