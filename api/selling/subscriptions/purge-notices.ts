import { after, DAY } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";

/** Far longer than the provider goes on sending a notice, or tells of it when asked (30 days). */
const KEPT_MS = 90 * DAY;

/** Removes notices of the payment provider that were applied more than 90 days ago; what waits to be applied stays. */
export const purgePaymentNotices = destructiveWork({
  name: "purge-payment-notices",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const { rowCount } = await pool.query(
      "delete from payment_notices where id in (select id from payment_notices where applied_at < $1 limit 1000)",
      [after(now, -KEPT_MS)],
    );
    return rowCount ?? 0;
  },
});
