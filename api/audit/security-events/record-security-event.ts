import { SECURITY_EVENT_DAYS } from "#schema/security-event.ts";
import type { Context, Services } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import { securityEvents, signInFailures } from "#api/platform/observe/metrics.ts";
import {
  buildSecurityEventRow,
  insertSecurityEvents,
  type NewSecurityEvent,
  type SecurityEventRow,
  toSealedJson,
} from "./security-event-rows.ts";
import { getRealNow, MINUTE, addMilliseconds, DAY } from "#api/platform/clock.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";

type Recorder = Pick<Services, "pool" | "log" | "clock">;

const failedSignIns = new Set<string>(["sign-in.failed", "sign-in.locked"]);

/** The buffer of a process, by its connection pool. */
const buffers = new WeakMap<Recorder["pool"], ReturnType<typeof createEventBuffer>>();

/**
 * Records a security event outside any transaction, such as a failed sign-in. Returns immediately: the event is written
 * with others a moment later. A flood from one IP address is counted in one row a minute (decision 0060).
 */
export function reportSecurityEvent(context: Context, event: NewSecurityEvent): void {
  const { pool, log, clock } = context;
  const buffer = buffers.get(pool) ?? createEventBuffer({ pool, log, clock });
  buffers.set(pool, buffer);
  buffer.add(buildSecurityEventRow(context, event));
}

/** Records a security event in the transaction of `em`, such as a changed role, so that it exists only if it commits. */
export async function recordSecurityEvent(context: Context, em: EntityManager, event: NewSecurityEvent): Promise<void> {
  const row = buildSecurityEventRow(context, event);
  await query(em, insertSecurityEvents, [toSealedJson(context, [row])]);
  logEvent(context, row);
}

/** Writes the events that this process has buffered. Call it before reading events and when the process stops. */
export async function flushSecurityEvents(services: Recorder, options: { isStopping?: true } = {}): Promise<void> {
  await buffers.get(services.pool)?.flush(options);
}

/** Counts and logs an event without its IP address, because the log contains no personal data other than ids. */
function logEvent({ log }: Pick<Services, "log">, row: SecurityEventRow): void {
  securityEvents.inc({ type: row.type }, row.count);
  if (failedSignIns.has(row.type)) signInFailures.inc(row.count);
  const { type, user_id: userId, actor_id: actorId, detail, count, request_id: requestId } = row;
  log.info(
    {
      event: type,
      eventId: row.id,
      ...(userId ? { userId } : {}),
      ...(actorId ? { actorId } : {}),
      requestId,
      count,
      detail,
    },
    "security event",
  );
}

/** Limits that keep a flood from filling the disk. Further events are counted in one row for each minute. */
const eventLimits = {
  /** Rows of one type from one IP address in a minute. */
  perAddress: 20,
  /** Rows of one type in a minute, from all IP addresses. */
  perType: 600,
  /** IP addresses that are counted separately in a minute. */
  addresses: 10_000,
  /** Rows that wait while the database is away. The oldest are dropped and counted in the log. */
  waiting: 5_000,
} as const;

/** Time for which an event waits for others, in milliseconds. */
const WAIT_MS = 100;

/** Maximum number of rows in one statement. */
const MAX_ROWS = 500;

/** Creates a buffer that collects security events and writes them in batches. */
function createEventBuffer(services: Recorder) {
  let waiting: SecurityEventRow[] = [];
  let minute = 0;
  let rowsOf = new Map<string, number>();
  let counted = new Map<string, SecurityEventRow>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;

  /** Moves the counts of a past minute to the waiting rows. */
  function closeMinute(isStopping = false): void {
    const now = Math.floor(getRealNow(services.clock).getTime() / MINUTE);
    if (now === minute && !isStopping) return;
    minute = now;
    waiting.push(...counted.values());
    counted = new Map();
    rowsOf = new Map();
  }

  function add(row: SecurityEventRow): void {
    closeMinute();
    const ofAddress = `${row.type} ${toRateLimitAddress(row.address)}`;
    if (rowsOf.size < eventLimits.addresses && count(rowsOf, ofAddress) > eventLimits.perAddress)
      addToCount(ofAddress, row);
    else if (count(rowsOf, row.type) > eventLimits.perType) addToCount(row.type, { ...row, address: "" });
    else waiting.push(row);
    plan(WAIT_MS);
  }

  function addToCount(key: string, row: SecurityEventRow): void {
    const found = counted.get(key);
    // Keys stay few: an IP address gets one only after its own rows have been counted.
    if (!found) counted.set(key, row);
    else
      counted.set(key, {
        ...found,
        count: found.count + 1,
        user_id: found.user_id === row.user_id ? found.user_id : null,
      });
  }

  function plan(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      closeMinute();
      void flush().finally(() => {
        if (counted.size > 0 || waiting.length > 0) plan(waiting.length > 0 ? 1_000 : 5_000);
      });
    }, ms).unref();
  }

  /** Writes what waits. When stopping, also writes the counts of the current minute. */
  async function flush({ isStopping }: { isStopping?: true } = {}): Promise<void> {
    if (isStopping) closeMinute(true);
    // A caller who reads events next must also wait for rows that are already on their way.
    if (writing) await writing;
    writing ??= writeWaiting().finally(() => {
      writing = null;
    });
    await writing;
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, MAX_ROWS);
      waiting = waiting.slice(MAX_ROWS);
      try {
        await services.pool.query(insertSecurityEvents, [toSealedJson(services, rows)]);
      } catch (error) {
        const kept = [...rows, ...waiting];
        waiting = kept.slice(-eventLimits.waiting);
        const lost = kept.length - waiting.length;
        services.log.error({ err: error, lost }, "security events couldn't be written to the database");
        return;
      }
      for (const row of rows) logEvent(services, row);
    }
  }

  return { add, flush };
}

/** Increases a number in a map and returns it. */
function count(numbers: Map<string, number>, key: string): number {
  const next = (numbers.get(key) ?? 0) + 1;
  numbers.set(key, next);
  return next;
}

/** Maximum number of rows deleted in one transaction. */
const BATCH_SIZE = 10_000;

/**
 * Deletes security events after 400 days, and records it, because `audit verify` demands an entry for what is gone. The
 * database refuses to delete newer ones by its own clock, so moving the development clock doesn't delete any.
 */
export const purgeSecurityEvents = defineDestructiveSweep({
  name: "purge-security-events",
  everySeconds: 86_400,
  run: (context, now) =>
    inTransaction(context, async (em) => {
      const before = addMilliseconds(now, -SECURITY_EVENT_DAYS * DAY);
      const { count } = await queryRow<{ count: number }>(em, "select purge_security_events($1, $2) as count", [
        before,
        BATCH_SIZE,
      ]);
      if (count > 0)
        await recordChange(context, em, {
          action: "purge-security-events",
          subject: { type: "security-events", id: before.toISOString(), name: "Security events" },
          userId: null,
          after: { before: before.toISOString(), count },
        });
      return count;
    }),
});
