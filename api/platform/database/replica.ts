import pg from "pg";
import type { Logger } from "pino";
import { buildLimits, type DatabaseAddress, toPoolConfig } from "./database.ts";
import { isDatabaseUnavailable, isStatementTimeout } from "#api/platform/errors.ts";
import { replicaFallbacks } from "#api/platform/observe/metrics.ts";
import { openReportPool, type ReportPool } from "./report-pool.ts";

/** Age in milliseconds up to which data of the replica is used. */
export const MAX_STALENESS_MS = 5_000;

/** Interval at which a process compares the replica with the primary, in milliseconds. */
const COMPARE_MS = 1_000;

/** Positions of the primary that the replica hasn't reached yet. More than these mean that it is too far behind anyway. */
const MAX_MARKS = 30;

/** PostgreSQL cancels a statement on a replica if it conflicts with replicated changes. */
const RECOVERY_CONFLICT = "40001";

/** Reads that tolerate data that is a few seconds old: dashboard, audit log, security events and reports. */
export interface Reads {
  /** Runs a statement on the replica, or on the primary if the replica is unavailable or too far behind. */
  query<Row extends object>(statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  /** Returns the replica's pool for a report, and the pool that can cancel its statements; null to use the primary. */
  findReportPool(): { readonly reportPool: ReportPool; readonly canceller: pg.Pool } | null;
  /** Starts comparing the replica with the primary. Until then the primary is used. */
  start(): void;
  abortReports(): void;
  close(): Promise<void>;
}

interface Primary {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

/** Creates reads that use the primary if there is no replica. */
export function createReads(primary: Primary, replicaUrl: string | null, poolSize: number): Reads {
  if (replicaUrl) return createReplicaReads(primary, { url: replicaUrl }, poolSize);
  return {
    query: (statement, values) => primary.pool.query(statement, values),
    findReportPool: () => null,
    start() {},
    abortReports() {},
    async close() {},
  };
}

function createReplicaReads(primary: Primary, address: DatabaseAddress, poolSize: number): Reads {
  const { pool, log } = primary;
  const replica = new pg.Pool({
    ...toPoolConfig(address),
    ...buildLimits(false),
    max: poolSize,
    allowExitOnIdle: true,
  });
  replica.on("error", () => {});
  replica.on("connect", (client) => client.on("error", () => {}));
  const reportPool = openReportPool(address);
  let marks: { readonly lsn: string; readonly at: number }[] = [];
  let freshAt = Number.NEGATIVE_INFINITY;
  let isAway = true;
  let timer: NodeJS.Timeout | undefined;

  const setAway = (error: unknown): void => {
    if (!isAway) log.warn({ err: error }, "the replica is unavailable; reading from the primary");
    isAway = true;
  };
  /** Finds the newest position of the primary that the replica has reached. Its data is at most as old as that. */
  const compare = async (): Promise<void> => {
    const at = performance.now();
    const { rows } = await pool.query<{ lsn: string }>("select pg_current_wal_lsn()::text as lsn");
    marks = [...marks, { lsn: rows[0]?.lsn ?? "0/0", at }].slice(-MAX_MARKS);
    try {
      const reached = await replica.query<{ n: number }>(
        `select n::int from unnest($1::pg_lsn[]) with ordinality as mark (lsn, n)
          where lsn <= coalesce(pg_last_wal_replay_lsn(), pg_current_wal_lsn()) order by n desc limit 1`,
        [marks.map(({ lsn }) => lsn)],
      );
      const index = (reached.rows[0]?.n ?? 0) - 1;
      freshAt = marks[index]?.at ?? freshAt;
      marks = marks.slice(Math.max(index, 0));
      if (isAway) log.info("reading from the replica");
      isAway = false;
    } catch (error) {
      setAway(error);
    }
  };
  const isUsable = (): boolean => {
    const isFresh = performance.now() - freshAt <= MAX_STALENESS_MS;
    if (isAway || !isFresh) replicaFallbacks.inc({ reason: isAway ? "away" : "lag" });
    return !isAway && isFresh;
  };

  return {
    async query(statement, values) {
      if (!isUsable()) return pool.query(statement, values);
      try {
        return await replica.query(statement, values);
      } catch (error) {
        const isConflict = (error as { code?: unknown }).code === RECOVERY_CONFLICT;
        if (isStatementTimeout(error) || !(isConflict || isDatabaseUnavailable(error))) throw error;
        if (!isConflict) setAway(error);
        replicaFallbacks.inc({ reason: isConflict ? "conflict" : "away" });
        return pool.query(statement, values);
      }
    },
    findReportPool: () => (isUsable() ? { reportPool, canceller: replica } : null),
    start() {
      let isComparing = false;
      timer ??= setInterval(() => {
        if (isComparing) return;
        isComparing = true;
        void compare()
          .catch(() => {})
          .finally(() => (isComparing = false));
      }, COMPARE_MS).unref();
    },
    abortReports: () => reportPool.abortReports(),
    async close() {
      clearInterval(timer);
      await Promise.all([replica.end(), reportPool.end()]);
    },
  };
}
