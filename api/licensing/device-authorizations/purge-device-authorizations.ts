import { after, DAY } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";

/** Removes device authorizations a day after their code expired. */
export const purgeDeviceAuthorizations = destructiveWork({
  name: "purge-device-authorizations",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const { rowCount } = await pool.query(
      `delete from device_authorizations where id in
         (select id from device_authorizations where expires_at < $1 limit 1000)`,
      [after(now, -DAY)],
    );
    return rowCount ?? 0;
  },
});
