import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Pool } from "pg";
import { isWaitingSql } from "#api/messaging/emails/deliver-email.ts";
import type { Services } from "#api/platform/context.ts";
import { deadLetters, queueNames } from "#api/platform/jobs/job-queues.ts";
import { compareClockWithDatabase, isClockWrong } from "#api/platform/database/database-clock.ts";

/** Time in milliseconds for which the numbers from the database are kept, so that frequent scrapes cost little. */
const KEPT_MS = 5_000;

/** Reads a number for each gauge of the state, by the name of its column. Ages and the horizon are in seconds. */
const stateSql = `
  select
    mail.count as "emailsWaiting", mail.age as "oldestEmail",
    hook.count as "webhooksWaiting", hook.age as "oldestWebhook",
    notice.count as "noticesWaiting", notice.age as "oldestNotice",
    (select count(*)::int from leases where ended_at is null and expires_at > now()) as seats,
    (select count(*)::int from pgboss.job where name = '${deadLetters}') as "deadLetters",
    (select extract(epoch from now() - (value->>'at')::timestamptz)::float8 from settings where name = 'last_backup')
      as "backupAge",
    (select coalesce(max(extract(epoch from
         to_date(substring(inhrelid::regclass::text from '\\d{4}_\\d{2}$'), 'YYYY_MM') + interval '1 month' - now())), 0)::float8
       from pg_inherits where inhparent = 'licence_events'::regclass
         and inhrelid::regclass::text ~ '\\d{4}_\\d{2}$') as horizon
  from
    (select count(*)::int as count, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
       from mails where ${isWaitingSql}) mail,
    (select count(*)::int as count, greatest(coalesce(extract(epoch from now() - min(next_attempt_at)), 0), 0)::float8 as age
       from webhook_deliveries where next_attempt_at is not null and next_attempt_at <= now()) hook,
    (select count(*)::int as count, coalesce(extract(epoch from now() - min(received_at)), 0)::float8 as age
       from payment_notices where applied_at is null) notice`;

const queueSql = `
  select name, state::text, count(*)::int as count,
         greatest(coalesce(extract(epoch from now() - min(greatest(created_on, start_after))), 0), 0)::float8 as age
    from pgboss.job where state < 'active' and name <> '${deadLetters}' group by name, state`;

interface QueueRow {
  readonly name: string;
  readonly state: string;
  readonly count: number;
  readonly age: number;
}

/**
 * Creates the metrics that describe the state of the process and of the database when they are scraped. Without the
 * database, its metrics are missing and `portal_database_up` is 0.
 *
 * Workers that share a port report as one: numbers of the database once, connections as a sum.
 */
export function createStateMetrics(services: Services): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading = Promise.resolve();
  const collect = (): Promise<void> => {
    if (performance.now() - readAtMs < KEPT_MS) return reading;
    readAtMs = performance.now();
    return (reading = refresh());
  };
  const ofDatabase = { registers, aggregator: "max" as const, collect };
  const gauge = (name: string, help: string) => new Gauge({ name, help, ...ofDatabase });

  const ready: Gauge = new Gauge({
    name: "portal_ready",
    help: "1 while the process serves calls, 0 while it starts or drains, or while its clock is wrong.",
    registers,
    aggregator: "max",
    collect: () => ready.set(services.lifecycle.phase === "serving" && !isClockWrong(services.clock) ? 1 : 0),
  });
  measurePools(services, registers);

  const queueJobs = new Gauge({
    name: "portal_queue_jobs",
    help: "Jobs that wait in a queue, by state (created, retry).",
    labelNames: ["queue", "state"] as const,
    ...ofDatabase,
  });
  const queueLag = new Gauge({
    name: "portal_queue_lag_seconds",
    help: "Time for which the oldest due job of a queue has been waiting; 0 if none waits.",
    labelNames: ["queue"] as const,
    ...ofDatabase,
  });
  const skew = gauge("portal_clock_skew_seconds", "How far this machine's clock is ahead of the database's.");
  const ofState: Readonly<Record<string, Gauge>> = {
    emailsWaiting: gauge("portal_outbox_emails", "Emails that wait to be sent."),
    oldestEmail: gauge("portal_outbox_age_seconds", "Age of the oldest email that waits to be sent."),
    webhooksWaiting: gauge("portal_webhook_deliveries", "Webhook deliveries that are due."),
    oldestWebhook: gauge("portal_webhook_age_seconds", "Time for which the oldest webhook delivery has been due."),
    noticesWaiting: gauge("portal_payment_notices", "Payment notices that aren't applied yet."),
    oldestNotice: gauge(
      "portal_payment_notice_age_seconds",
      "Age of the oldest payment notice that isn't applied yet.",
    ),
    seats: gauge("portal_seats_in_use", "Seats of concurrent licences in use."),
    horizon: gauge("portal_partition_horizon_seconds", "Time until the last monthly partition of licence events ends."),
    deadLetters: gauge("portal_dead_letters", "Jobs that failed every attempt."),
    backupAge: gauge("portal_backup_age_seconds", "Age of the latest backup. Missing if there is none."),
  };
  const clear = (): void => {
    for (const one of [queueJobs, queueLag]) one.reset();
    // A gauge without labels would be 0 after a reset.
    for (const one of [skew, ...Object.values(ofState)]) one.remove();
  };

  /** Reads the numbers. Returns whether the database accepts writes. */
  const read = async (): Promise<boolean> => {
    const [{ skewMs, isReadOnly }, state, queues] = await Promise.all([
      compareClockWithDatabase(services),
      services.pool.query<Record<string, number | null>>(stateSql),
      services.pool.query<QueueRow>(queueSql),
    ]);
    clear();
    skew.set(skewMs / 1_000);
    for (const [name, value] of Object.entries(state.rows[0] ?? {})) if (value !== null) ofState[name]?.set(value);
    for (const { name, state: ofJobs, count } of queues.rows) queueJobs.set({ queue: name, state: ofJobs }, count);
    for (const queue of new Set([...queueNames, ...queues.rows.map(({ name }) => name)]))
      queueLag.set({ queue }, Math.max(0, ...queues.rows.filter(({ name }) => name === queue).map(({ age }) => age)));
    return !isReadOnly;
  };
  const up = gauge(
    "portal_database_up",
    "1 if the database answered and accepted writes when it was last read, otherwise 0.",
  );
  const refresh = async (): Promise<void> => {
    try {
      up.set((await read()) ? 1 : 0);
    } catch {
      clear();
      up.set(0);
    }
  };
  return registry;
}

/** Adds the number of connections of each pool, and of the calls that wait for one. */
function measurePools({ pool, reportPool }: Services, registers: Registry[]): void {
  const pools: Readonly<Record<string, Pool>> = { main: pool, reports: reportPool };
  const connections = new Gauge({
    name: "portal_database_connections",
    help: "Database connections of a pool by state (busy, idle).",
    labelNames: ["pool", "state"] as const,
    registers,
    collect() {
      for (const [name, { totalCount, idleCount }] of Object.entries(pools)) {
        connections.set({ pool: name, state: "busy" }, totalCount - idleCount);
        connections.set({ pool: name, state: "idle" }, idleCount);
      }
    },
  });
  const limit = new Gauge({
    name: "portal_database_connections_limit",
    help: "Maximum number of connections of a pool.",
    labelNames: ["pool"] as const,
    registers,
    collect() {
      for (const [name, { options }] of Object.entries(pools)) limit.set({ pool: name }, options.max ?? 0);
    },
  });
  const waiting = new Gauge({
    name: "portal_database_waiting",
    help: "Calls that wait for a connection of a pool.",
    labelNames: ["pool"] as const,
    registers,
    collect() {
      for (const [name, { waitingCount }] of Object.entries(pools)) waiting.set({ pool: name }, waitingCount);
    },
  });
}
