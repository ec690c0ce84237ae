import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";

/**
 * Time an ended lease is kept, in milliseconds. During this time a heartbeat can take the seat again; afterwards the
 * answer is LEASE_NOT_FOUND.
 */
const RETENTION_MS = 30 * DAY;

/** Leases processed in one batch of the sweep. */
const BATCH_SIZE = 1_000;

/**
 * Marks lapsed leases as ended and deletes leases that ended more than 30 days ago. This is only clean-up, because a
 * seat is available from the moment its lease lapses (docs/domain.md#seats). Skips leases that a heartbeat has locked.
 */
export const cleanUpLeases = defineDestructiveSweep({
  name: "cull-leases",
  everySeconds: 300,
  async run({ pool }, now) {
    const marked = await pool.query(
      `update leases set ended_at = expires_at, ended_by = 'lapse'
        where id in (select id from leases where ended_at is null and expires_at <= $1 limit ${BATCH_SIZE}
                        for update skip locked)
          and ended_at is null and expires_at <= $1`,
      [now],
    );
    const forgotten = await pool.query(
      `delete from leases where id in (select id from leases where ended_at <= $1 limit ${BATCH_SIZE} for update skip locked)
          and ended_at <= $1`,
      [addMilliseconds(now, -RETENTION_MS)],
    );
    return (marked.rowCount ?? 0) + (forgotten.rowCount ?? 0);
  },
});
