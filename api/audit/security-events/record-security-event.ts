import type { Context, Services } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { securityEvents, signInFailures } from "#api/platform/observe/metrics.ts";
import { createEventBuffer, type EventBuffer } from "./event-buffer.ts";
import {
  buildSecurityEventRow,
  insertSecurityEvents,
  type NewSecurityEvent,
  type SecurityEventRow,
  toSealedJson,
} from "./security-event-rows.ts";

type Recorder = Pick<Services, "pool" | "log" | "clock">;

const failedSignIns = new Set<string>(["sign-in.failed", "sign-in.locked"]);

const buffers = new WeakMap<Recorder["pool"], EventBuffer>();

/** Returns the buffer of a process's connection pool. */
function getBuffer(services: Recorder): EventBuffer {
  let buffer = buffers.get(services.pool);
  if (!buffer)
    buffers.set(
      services.pool,
      (buffer = createEventBuffer({
        clock: services.clock,
        async write(rows) {
          await services.pool.query(insertSecurityEvents, [toSealedJson(services, rows)]);
          for (const row of rows) logEvent(services, row);
        },
        onFailure: (error, lost) =>
          services.log.error({ err: error, lost }, "security events couldn't be written to the database"),
      })),
    );
  return buffer;
}

/**
 * Records a security event outside any transaction, such as a failed sign-in. Returns immediately: the event is written
 * with others a moment later. A flood from one IP address is counted in one row a minute (decision 0060).
 */
export function reportSecurityEvent(context: Context, event: NewSecurityEvent): void {
  getBuffer(context).add(buildSecurityEventRow(context, event));
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
