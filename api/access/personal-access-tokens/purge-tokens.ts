import { after, DAY } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";

/** As long as an incident may take to be looked into. */
const KEPT_MS = 90 * DAY;

/** Removes tokens that were revoked or expired more than 90 days ago. */
export const purgeTokens = destructiveWork({
  name: "purge-personal-access-tokens",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const { rowCount } = await pool.query(
      `delete from personal_access_tokens where id in
         (select id from personal_access_tokens where least(revoked_at, expires_at) < $1 limit 1000)`,
      [after(now, -KEPT_MS)],
    );
    return rowCount ?? 0;
  },
});
