import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "#api/app.ts";
import { maintainEventPartitions } from "#api/licensing/licences/maintain-event-partitions.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, createMovableClock, DAY, MINUTE } from "#api/platform/clock.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { compareClockWithDatabase, defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import { createRateLimits } from "#api/platform/limits/rate-limits.ts";
import { backgroundWork } from "#api/app/background-work.ts";
import { createStateMetrics } from "#api/app/state-metrics.ts";
import { toMachine, buildRequest } from "#tests/factories/addin.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createDevice, createLicence, getMachineToken } from "#tests/factories/licence.ts";
import { createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { createEndpoint, recordEvents } from "#tests/factories/webhook.ts";
import { recordLog } from "#tests/support/record-log.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";
import { whenDone } from "#tests/support/when-done.ts";

const app = await startTestApp({ keepLicenceEventsMonths: 24 });
const { pool } = app.services;
const receiver = await startReceiver();

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly sweep?: string;
  readonly skewSeconds?: number;
}

/** Starts a second process on the same database with a machine clock that is wrong by `skewMs`. */
async function openWithWrongClock(skewMs: number) {
  const { log, lines } = recordLog<LogLine>("info");
  const machine = { wallMs: () => Date.now() + skewMs, monotonicMs: () => performance.now() };
  const clock = createMovableClock(0, machine);
  const services = await openSecondProcess(app, {}, { polling: false }, { clock, log });
  const server = await createApp(services);
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  afterAll(() => server.close());
  return { services, clock, url, lines };
}

let ahead: Awaited<ReturnType<typeof openWithWrongClock>>;
beforeAll(async () => {
  ahead = await openWithWrongClock(900 * DAY);
});

/** Counts the rows of all tables except the audit chain, because every process adds links to it. */
async function countRows(): Promise<Record<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname not in ('audit_links', 'unsealed_entries') order by 1",
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${name}`);
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

/** Returns the tables with fewer rows than before. Deliveries that are due, and the like, add rows meanwhile. */
async function findDeletions(before: Record<string, number>): Promise<string[]> {
  const after = await countRows();
  return Object.keys(before).filter((name) => (after[name] ?? 0) < (before[name] ?? 0));
}

const ready = async (url: string) => {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};

describe("a process with a clock 900 days ahead", () => {
  test("deletes nothing in its sweeps, not even old licence events, and logs errors", async () => {
    const user = await createUser(app);
    const licence = await createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), 100 * DAY) });
    await signInAs(app, user);
    await createToken(app, user);
    await createUser(app, { emailConfirmedAt: null, registeredAt: app.clock.now() });
    await app.rest("POST", "/v1/core/accounts/register", { body: buildRegistration() });
    await createEndpoint(app, receiver, user);
    await recordEvents(app, user.id);
    const em = app.services.orm.em.fork();
    for (let month = 0; month < 24; month++) {
      const at = addMilliseconds(app.clock.now(), -month * 30 * DAY);
      em.create(LicenceEvent, { at, lastAt: at, kind: "validate", resultCode: 1, licenceId: licence.id });
    }
    await em.flush();
    await app.services.jobs.runSweeps();
    const before = await countRows();
    expect(before.licence_events).toBeGreaterThanOrEqual(24);
    await ahead.services.jobs.runSweeps();
    expect(await findDeletions(before)).toEqual([]);
    const errors = ahead.lines.filter(({ level }) => level === 50);
    expect(errors.map(({ sweep }) => sweep)).toEqual(
      expect.arrayContaining(["licence-event-partitions", "purge-sessions", "close-unconfirmed", "purge-webhook-log"]),
    );
    expect(errors[0]).toMatchObject({
      skewSeconds: (900 * DAY) / 1_000,
      msg: expect.stringContaining("The clock of this process is 77760000 s ahead of the database's"),
    });
  });

  test("isn't ready and reports the reason, while other processes are ready", async () => {
    expect(await ready(ahead.url)).toEqual({
      status: 503,
      json: {
        status: "clock skew",
        skewSeconds: (900 * DAY) / 1_000,
        reason: expect.stringContaining("77760000 s ahead of the database's"),
      },
    });
    expect(await ready(app.url)).toEqual({ status: 200, json: { status: "ready" } });
    // The alert PortalNotReady.
    expect(await createStateMetrics(ahead.services).metrics()).toMatch(/^portal_ready 0$/m);
    expect(await createStateMetrics(app.services).metrics()).toMatch(/^portal_ready 1$/m);
  });

  test("validates licences by the database's time", async () => {
    const licence = await createLicence(app, await createUser(app), {
      expiresAt: addMilliseconds(app.clock.now(), 100 * DAY),
    });
    const device = await createDevice(app, licence);
    const body = buildRequest(app, licence.licenceCode, {
      machine: toMachine(device),
      machineToken: getMachineToken(app, device),
    });
    const response = await fetch(`${ahead.url}/v1/licence/validate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { valid: true, resultCode: 1 } });
    const { rows } = await pool.query<{ at: string }>("select at from licence_events where licence_id = $1", [
      licence.id,
    ]);
    expect(Math.abs(Date.parse(rows[0]?.at ?? "") - app.clock.now().getTime())).toBeLessThan(MINUTE);
  });

  test("runs sweeps again after its clock is corrected", async () => {
    let skewMs = 900 * DAY;
    const clock = createMovableClock(0, { wallMs: () => Date.now() + skewMs, monotonicMs: () => performance.now() });
    const services: Services = { ...app.services, clock, log: recordLog("info").log };
    const ran: Date[] = [];
    const sweep = defineDestructiveSweep({
      name: "test",
      everySeconds: 1,
      run: async (_context, now) => ran.push(now) && 0,
    });
    await sweep.run(createContext(services));
    expect(ran).toEqual([]);
    skewMs = 0;
    await sweep.run(createContext(services));
    expect(Math.abs((ran[0]?.getTime() ?? 0) - Date.now())).toBeLessThan(MINUTE);
  });
});

test("a process with a clock 900 days behind deletes nothing and isn't ready", async () => {
  const behind = await openWithWrongClock(-900 * DAY);
  const before = await countRows();
  await behind.services.jobs.runSweeps();
  expect(await findDeletions(before)).toEqual([]);
  expect(await ready(behind.url)).toMatchObject({ status: 503, json: { skewSeconds: (-900 * DAY) / 1_000 } });
});

test("a process whose clock is four minutes off reports ready and deletes by the database's clock", async () => {
  const early = await openWithWrongClock(4 * MINUTE);
  expect((await ready(early.url)).status).toBe(200);
  const times: Date[] = [];
  const sweep = defineDestructiveSweep({
    name: "test",
    everySeconds: 1,
    run: async (_context, now) => times.push(now) && 0,
  });
  await sweep.run(createContext(early.services));
  const { databaseNow } = await compareClockWithDatabase(early.services);
  expect(Math.abs((times[0]?.getTime() ?? 0) - databaseNow.getTime())).toBeLessThan(MINUTE);
});

test("a moved development clock doesn't count as wrong, and sweeps follow it", async () => {
  app.clock.setOffset(900 * DAY);
  whenDone(() => app.clock.setOffset(0));
  expect((await ready(app.url)).status).toBe(200);
  const { rows } = await pool.query<{ count: number }>("select count(*)::int as count from sessions");
  expect(rows[0]?.count).toBeGreaterThan(0);
  await app.services.jobs.runSweeps();
  expect((await pool.query("select from sessions")).rowCount).toBe(0);
  expect(await maintainEventPartitions.run(app.context())).toBe(0);
});

test("refuses to run any sweep with a wrong clock unless it is listed as harmless", () => {
  const harmless = `
    apply-payment-notices fetch-payment-notices announce-trial-ends announce-expiring-licences
    remind-unconfirmed reseal-app-secrets reseal-webhook-secrets reseal-emails start-due-reports
    queue-due-webhooks resume-erasures erase-time-zones retry-pending-cancellations end-pauses finish-refunds
    finish-card-payments finish-subscription-actions seal-entries alert-owners send-security-events
    reseal-audit-key unify-stored-users log-last-link measure-leaks archive-licence-events send-audit-link
    check-books compare-with-provider continue-price-moves`.split(/\s+/);
  const refused: string[] = [];
  const wrong = {
    ...ahead.services,
    log: { error: (line: LogLine) => refused.push(line.sweep ?? "") },
  } as unknown as Services;
  return Promise.all(
    backgroundWork.sweeps
      .filter(({ name }) => !harmless.includes(name))
      .map(async (sweep) => {
        expect(await sweep.run(createContext(wrong))).toBe(0);
        expect(refused).toContain(sweep.name);
      }),
  );
});

test("stores rate limits by the database's time, unaffected by a wrong clock", async () => {
  // The limiter reads Date.now(), which is 900 days ahead of this clock's correct time.
  const right = () => new Date(Date.now() - 900 * DAY);
  const limits = createRateLimits(pool, { now: right, realNow: right }, true);
  for (let take = 0; take < 5; take++) await limits.take("register", "somebody");
  await expect(limits.take("register", "somebody")).rejects.toMatchObject({ code: "RATE_LIMITED" });
  const { rows } = await pool.query<{ expire: string }>("select expire from rate_limits where key like 'register%'");
  const secondsLeft = (Number(rows[0]?.expire) - right().getTime()) / 1_000;
  expect(secondsLeft).toBeGreaterThan(3_500);
  expect(secondsLeft).toBeLessThanOrEqual(3_600);
  await limits.clear([["register", "somebody"]]);
  await expect(limits.take("register", "somebody")).resolves.toMatchObject({ name: "register" });
});
