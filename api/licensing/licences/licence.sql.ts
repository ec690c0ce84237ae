import { brand } from "#schema/brand.ts";
import { featureList, featuresOfProductLevel, productLevels } from "#schema/product-level.ts";
import { MAX_HISTORY_ROWS } from "#api/platform/graphql/page.ts";
import {
  toSqlLiteral,
  formatMomentSql,
  createRelationRead,
  type SqlReads,
  buildCaseSql,
  type SqlRead,
} from "#api/platform/graphql/sql-reads/read-context.ts";
import { licenceStatusSql } from "./licence-status.ts";
import { loadDevices } from "#api/licensing/devices/list-devices.ts";
import { toCode } from "#schema/closed-list.ts";
import { ResultCode, resultCodes } from "#schema/result-code.ts";
import { licenceEventKinds, nextStepByResultCode } from "#schema/licence-history.ts";

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

const messages = new Map(resultCodes.map(({ value, label }) => [value, toSqlLiteral(label)]));
const nextSteps = new Map(
  resultCodes.flatMap(({ code, value }) => {
    const step = nextStepByResultCode[code];
    return step ? [[value, toSqlLiteral(step.text)] as const] : [];
  }),
);
const requestTexts = new Map(licenceEventKinds.map(({ value, label }) => [value, toSqlLiteral(label)]));
const successTexts = new Map(licenceEventKinds.map(({ value, done }) => [value, toSqlLiteral(done)]));

/**
 * Reads the newest page of a history in SQL, in the same order as `list-licence-events.ts`. Further pages use the
 * resolvers.
 */
const newestEvents =
  (ownerType: "licence" | "device"): SqlRead =>
  ({ row: owner, args, object, alias }) => {
    const first = args.first as number;
    const isFirstPage = args.after == null && args.deviceId == null && args.refusalsOnly === false;
    if (!isFirstPage || first < 1 || first > MAX_HISTORY_ROWS) return null;
    const licence = alias();
    // No events precede the licence's creation, so earlier partitions can be skipped.
    const since =
      ownerType === "licence"
        ? `${owner}.created_at`
        : `(select ${licence}.created_at from licences ${licence} where ${licence}.id = ${owner}.licence_id)`;
    return object({
      rows: ({ many }) =>
        many(
          (event) =>
            `licence_events ${event} where ${event}.${ownerType}_id = ${owner}.id and ${event}.at >= ${since} - interval '1 day'
              order by ${event}.at desc, ${event}.id desc limit ${first}`,
        ),
    });
  };

/** SQL for fields of the history that aren't columns. Must match `licence-event.resolver.ts`. */
export const licenceEventSqlReads: SqlReads = {
  "Licence.events": newestEvents("licence"),
  "Device.events": newestEvents("device"),
  "LicenceEvent.asked": ({ row }) => buildCaseSql(`${row}.kind`, requestTexts, `${row}.kind`),
  "LicenceEvent.answer": ({ row }) =>
    `coalesce(case when ${row}.result_code = ${ResultCode.VALID} then ${buildCaseSql(`${row}.kind`, successTexts, "null")} end,
      ${buildCaseSql(`${row}.result_code`, messages, "null")})`,
  "LicenceEvent.nextStep": ({ row }) => buildCaseSql(`${row}.result_code`, nextSteps, "null"),
};
