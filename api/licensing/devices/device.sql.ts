import { moment, related, type SqlReads } from "#api/platform/sql-reads/reading.ts";

/** How devices are read in SQL, beside their columns. */
export const deviceSqlReads: SqlReads = {
  "Licence.devices": related(
    (device, licence) =>
      `devices ${device} where ${device}.licence_id = ${licence}.id and ${device}.freed_at is null
        order by ${device}.activated_at, ${device}.id`,
  ),
  "Device.offlineUntil": ({ row, now }) =>
    `case when ${row}.offline_until > ${now()}
      then ${moment(`${row}.offline_until`)} end`,
};
