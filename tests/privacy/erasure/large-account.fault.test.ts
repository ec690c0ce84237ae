import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import { requestErasure } from "#api/privacy/erasure/request-erasure.ts";
import { resumeErasures, runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { createContext } from "#api/platform/context.ts";
import { addLicenceEvents } from "#tests/factories/licence-events.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startProgram } from "#tests/support/programs.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { serveTestApp, startTestApp } from "#tests/support/test-app.ts";
import { buildDatabaseUrl } from "#tests/support/test-database.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const EVENTS = 30_000;
/** Closing the account adds one event for the licence. */
const REVOCATION = 1;
const app = await startTestApp();
/** Statement timeout of {@link impatient} in milliseconds. The product's is longer. */
const TIMEOUT_MS = 1_500;
/** App on the same database with a short statement timeout. */
const impatient = await serveTestApp(app.database, app.services.config, {
  url: `${buildDatabaseUrl(app.database)}?statement_timeout=${TIMEOUT_MS}`,
});

async function userWithHistory(events = EVENTS): Promise<{ user: User; licenceId: string }> {
  const user = await createUser(app, { firstName: "Grace" });
  const licence = await createLicence(app, user);
  await addLicenceEvents(app, licence, events);
  return { user, licenceId: licence.id };
}

const personalEvents = async (licenceId: string) => {
  const { rows } = await app.services.pool.query<{ count: number }>(
    `select count(*)::int as count from licence_events
      where licence_id = $1 and num_nonnulls(machine_name, os_user, ip) > 0`,
    [licenceId],
  );
  return rows[0]?.count;
};

const find = (id: string) => app.context().em.findOneOrFail(Erasure, id);
const erasedEvents = async (id: string) => (await find(id)).progress["licence-events"]?.rows ?? 0;

/**
 * Delays each update of a licence event by 3 ms or more, as on a slow disk. Updating 700 events then exceeds the
 * statement timeout.
 */
async function slowDownEvents(): Promise<() => Promise<unknown>> {
  await app.services.pool.query(`
    create function slow_down() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.003); return new; end $$;
    create trigger slow_down before update on licence_events for each row execute function slow_down()`);
  return () => app.services.pool.query("drop trigger slow_down on licence_events; drop function slow_down()");
}

test("deletes an account whose history takes longer to erase than the statement timeout", {
  timeout: 120_000,
}, async () => {
  const { user, licenceId } = await userWithHistory(700);
  const token = await signInAs(app, user);
  const restoreSpeed = await slowDownEvents();
  const startedAt = performance.now();
  const { data, errors } = await deleteAccount(impatient, token);
  expect([data, errors]).toEqual([{ deleteMyAccount: { id: user.id } }, undefined]);
  expect((await impatient.graphql("me { id }", {}, token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  await impatient.services.jobs.drain();
  const tookMs = performance.now() - startedAt;
  await restoreSpeed();
  expect(tookMs).toBeGreaterThan(TIMEOUT_MS);
  expect(await personalEvents(licenceId)).toBe(0);
  expect(await listEmailsTo(app, user.email)).toHaveLength(1);
});

test("continues where a killed process stopped and erases every row once", { timeout: 120_000 }, async () => {
  const { user, licenceId } = await userWithHistory();
  const { id } = await requestErasure(app.context(), user.id, "operator");
  const { dataDir } = app.services.config;
  const work = { database: app.database, dataDir, erasureId: id, rowsABatch: 200 };
  const child = await startProgram("pause-work", [JSON.stringify(work)]);
  let seen = 0;
  while (seen < 2_000 && child.exitCode === null) {
    await sleep(5);
    seen = await erasedEvents(id);
  }
  child.kill("SIGKILL");
  await once(child, "exit");
  const left = (await personalEvents(licenceId)) ?? 0;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(EVENTS);
  expect(await erasedEvents(id)).toBe(EVENTS + REVOCATION - left);

  expect(await runErasure(app.context(), id, { rowsPerBatch: 5_000, maxMs: 60_000 })).toBe("done");
  expect(await personalEvents(licenceId)).toBe(0);
  const { state, certificate, subject } = await find(id);
  expect([state, subject]).toEqual(["done", null]);
  expect(certificate?.erased.find(({ name }) => name === "licence-events")?.rows).toBe(EVENTS + REVOCATION);
  expect(await listEmailsTo(app, user.email)).toHaveLength(1);
});

test("erases every row once and sends one certificate when two processes run the same erasure", {
  timeout: 120_000,
}, async () => {
  const otherServices = await openSecondProcess(app);
  const { user, licenceId } = await userWithHistory(5_000);
  const both = await Promise.all([1, 2].map(() => requestErasure(app.context(), user.id, "operator")));
  const [id = ""] = new Set(both.map((one) => one.id));
  expect(both.every((one) => one.id === id)).toBe(true);
  const finish = async (services: typeof otherServices) => {
    for (let end = "more"; end !== "done"; )
      end = await runErasure(createContext(services), id, { rowsPerBatch: 100, maxMs: 60_000 });
  };
  await Promise.all([app.services, otherServices, app.services, otherServices].map(finish));
  expect(await personalEvents(licenceId)).toBe(0);
  expect((await find(id)).certificate?.erased.find(({ name }) => name === "licence-events")?.rows).toBe(
    5_000 + REVOCATION,
  );
  expect(await listEmailsTo(app, user.email)).toHaveLength(1);
});

test("requeues an erasure without a job, but not while a worker may still be running it", async () => {
  const { user, licenceId } = await userWithHistory(10);
  const { id } = await requestErasure(app.context(), user.id, "operator");
  await app.services.pool.query("delete from pgboss.job where name = 'erase-user'");
  await resumeErasures.run(app.context());
  await app.services.jobs.drain();
  expect((await find(id)).state).toBe("running");
  await app.services.pool.query("update erasures set worked_at = now() - interval '11 minutes' where id = $1", [id]);
  await resumeErasures.run(app.context());
  await app.services.jobs.drain();
  expect([(await find(id)).state, await personalEvents(licenceId)]).toEqual(["done", 0]);
});
