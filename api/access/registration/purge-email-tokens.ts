import { after, DAY } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";

/** Links of mails that nobody can use any more are forgotten after this time. */
const KEPT_MS = 30 * DAY;

/** Removes the secrets of mailed links that were used, replaced or expired more than 30 days ago. */
export const purgeEmailTokens = destructiveWork({
  name: "purge-email-tokens",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const { rowCount } = await pool.query(
      `delete from email_tokens where id in
         (select id from email_tokens where coalesce(spent_at, expires_at) < $1 limit 1000)`,
      [after(now, -KEPT_MS)],
    );
    return rowCount ?? 0;
  },
});
