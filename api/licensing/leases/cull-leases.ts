import { after, DAY } from "#api/platform/clock.ts";
import { destructiveWork } from "#api/platform/database-clock.ts";

/** How long a lease that ended is known: its heartbeat may take the seat again, after that it is LEASE_NOT_FOUND. */
const KEPT_MS = 30 * DAY;

/** Leases of one part of the sweep. */
const AT_ONCE = 1_000;

/**
 * Marks leases that lapsed, and forgets those that ended long ago. Tidying only: a seat is free from the moment its
 * lease lapses (docs/domain.md#seats). One that a heartbeat is prolonging at this moment is left to it.
 */
export const cullLeases = destructiveWork({
  name: "cull-leases",
  everySeconds: 300,
  async run({ pool }, now) {
    const marked = await pool.query(
      `update leases set ended_at = expires_at, ended_by = 'lapse'
        where id in (select id from leases where ended_at is null and expires_at <= $1 limit ${AT_ONCE}
                        for update skip locked)
          and ended_at is null and expires_at <= $1`,
      [now],
    );
    const forgotten = await pool.query(
      `delete from leases where id in (select id from leases where ended_at <= $1 limit ${AT_ONCE} for update skip locked)
          and ended_at <= $1`,
      [after(now, -KEPT_MS)],
    );
    return (marked.rowCount ?? 0) + (forgotten.rowCount ?? 0);
  },
});
