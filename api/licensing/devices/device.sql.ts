import { devicesOf } from "./list-devices.ts";
import { moment, relationRead, type SqlReads } from "#api/platform/sql-reads/reading.ts";

/** How devices are read in SQL, beside their columns. */
export const deviceSqlReads: SqlReads = {
  "Licence.devices": relationRead(devicesOf),
  "Device.offlineUntil": ({ row, now }) =>
    `case when ${row}.offline_until > ${now()}
      then ${moment(`${row}.offline_until`)} end`,
};
