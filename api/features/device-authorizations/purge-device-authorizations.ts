import { after, DAY } from "#api/platform/clock.ts";
import type { DueWork } from "#api/platform/due-work.ts";

/** Removes device authorizations a day after their code expired. */
export const purgeDeviceAuthorizations: DueWork = {
  name: "purge-device-authorizations",
  everySeconds: 3_600,
  async run({ clock, pool }) {
    const { rowCount } = await pool.query(
      `delete from device_authorizations where id in
         (select id from device_authorizations where expires_at < $1 limit 1000)`,
      [after(clock.now(), -DAY)],
    );
    return rowCount ?? 0;
  },
};
