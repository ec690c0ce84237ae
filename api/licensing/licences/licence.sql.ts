import { brand } from "#schema/brand.ts";
import { featuresOfProductLevel, productLevels } from "#schema/catalogue.ts";
import { literal, moment, relationRead, type SqlReads, wordsFor } from "#api/platform/sql-reads/reading.ts";
import { licenceStatusSql } from "./licence-status.ts";
import { devicesOf } from "#api/licensing/devices/list-devices.ts";

/** SQL for fields of devices that aren't columns. */
export const deviceSqlReads: SqlReads = {
  "Licence.devices": relationRead(devicesOf),
  "Device.offlineUntil": ({ row, now }) =>
    `case when ${row}.offline_until > ${now()}
      then ${moment(`${row}.offline_until`)} end`,
};

const labels = new Map(productLevels.map(({ value, label }) => [value, literal(label)]));
const features = new Map(
  Object.entries(featuresOfProductLevel).map(([level, list]) => [
    Number(level),
    `${literal(JSON.stringify(list))}::json`,
  ]),
);

/** SQL for fields of licences that aren't columns. Must match `licence.resolver.ts`. */
export const licenceSqlReads: SqlReads = {
  "Licence.owner": ({ row, one }) => one((user) => `users ${user} where ${user}.id = ${row}.user_id`),
  "Licence.product": () => `${literal(brand.productName)}::text`,
  "Licence.subscriptionLevel": ({ row }) => wordsFor(`${row}.product_level`, labels, `${row}.product_level::text`),
  "Licence.features": ({ row }) => wordsFor(`${row}.product_level`, features, "'[]'::json"),
  "Licence.usageRemaining": ({ row }) =>
    `case when ${row}.usage_limit is not null then greatest(0, ${row}.usage_limit - ${row}.usage_count) end`,
  "Licence.status": ({ row, now }) => licenceStatusSql(row, now()),
};
