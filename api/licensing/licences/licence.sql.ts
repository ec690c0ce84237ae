import { brand } from "#schema/brand.ts";
import { featureList, featuresOfProductLevel, productLevels } from "#schema/product-level.ts";
import {
  toSqlLiteral,
  formatMomentSql,
  createRelationRead,
  type SqlReads,
  buildCaseSql,
} from "#api/platform/graphql/sql-reads/read-context.ts";
import { licenceStatusSql } from "./licence-status.ts";
import { loadDevices } from "#api/licensing/devices/list-devices.ts";
import { toCode } from "#schema/closed-list.ts";

/** SQL for fields of devices that aren't columns. */
export const deviceSqlReads: SqlReads = {
  "Licence.devices": createRelationRead(loadDevices),
  "Device.offlineUntil": ({ row, now }) =>
    `case when ${row}.offline_until > ${now()}
      then ${formatMomentSql(`${row}.offline_until`)} end`,
};

const labels = new Map(productLevels.map(({ value, label }) => [value, toSqlLiteral(label)]));
const features = new Map(
  Object.entries(featuresOfProductLevel).map(([level, list]) => [
    Number(level),
    `${toSqlLiteral(JSON.stringify(list.map((feature) => toCode(featureList, feature))))}::json`,
  ]),
);

/** SQL for fields of licences that aren't columns. Must match `licence.resolver.ts`. */
export const licenceSqlReads: SqlReads = {
  "Licence.owner": ({ row, one }) => one((user) => `users ${user} where ${user}.id = ${row}.user_id`),
  "Licence.product": () => `${toSqlLiteral(brand.productName)}::text`,
  "Licence.subscriptionLevel": ({ row }) => buildCaseSql(`${row}.product_level`, labels, `${row}.product_level::text`),
  "Licence.features": ({ row }) => buildCaseSql(`${row}.product_level`, features, "'[]'::json"),
  "Licence.usageRemaining": ({ row }) =>
    `case when ${row}.usage_limit is not null then greatest(0, ${row}.usage_limit - ${row}.usage_count) end`,
  "Licence.status": ({ row, now }) => licenceStatusSql(row, now()),
};
