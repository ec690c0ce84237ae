import { defineMigration } from "#api/platform/database/define-migration.ts";
import { brand } from "#schema/brand.ts";

/**
 * Adds a start, plans and a maximum to promo codes. The last day of a code ends at midnight in the vendor's time zone
 * instead of UTC.
 */
export const Migration0145 = defineMigration([
  `alter table "promo_codes" add "starts_at" timestamptz null, add "plan_price_ids" text[] not null default '{}', add "maximum_redemptions" int null`,
  `update "promo_codes" set "expires_at" = ("expires_at" at time zone 'UTC') at time zone '${brand.timeZone}'
        where ("expires_at" at time zone 'UTC')::time = '23:59:59.999'`,
]);
