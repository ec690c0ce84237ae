import { afterEach, expect, test } from "vitest";
import { readConfig } from "#api/config.ts";
import { maintainEventPartitions } from "#api/licensing/licences/maintain-event-partitions.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";

const app = await startTestApp();
const { pool } = app.services;
const licence = await createLicence(app, await createUser(app));

afterEach(() => app.clock.setOffset(0));

const sweep = () => runSweep(app.services, maintainEventPartitions);

const partitionName = (moment: Date, ahead = 0) => {
  const month = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead, 1));
  return `licence_events_${month.toISOString().slice(0, 7).replace("-", "_")}`;
};

async function partitions(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'licence_events'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

const write = (at: Date) => createLicenceEvent(app, { at, licenceId: licence.id });

async function placesOfEvents(): Promise<string[]> {
  const sql = "select tableoid::regclass::text as name from licence_events order by at";
  return (await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
}

test("creates the partitions for this month and the next three months, each once", async () => {
  await sweep();
  const made = await partitions();
  expect(made).toEqual(expect.arrayContaining([0, 1, 2, 3].map((ahead) => partitionName(app.clock.now(), ahead))));
  await sweep();
  expect(await partitions()).toEqual(made);
});

test("follows the application's clock, and moves rows of a month without a partition out of the default partition", async () => {
  const later = addMilliseconds(app.clock.now(), 500 * DAY);
  await write(later);
  await write(addMilliseconds(app.clock.now(), -800 * DAY));
  expect((await placesOfEvents()).filter((name) => name === "licence_events_default")).toHaveLength(2);
  app.clock.setOffset(500 * DAY);
  await sweep();
  expect(await placesOfEvents()).toEqual([
    partitionName(addMilliseconds(app.clock.now(), -1300 * DAY)),
    partitionName(later),
  ]);
  for (let ahead = 0; ahead <= 3; ahead++) expect(await partitions()).toContain(partitionName(later, ahead));
});

test("creates partitions while the chain of the audit log is extended", async () => {
  app.clock.setOffset(1_500 * DAY);
  const client = await pool.connect();
  await client.query("select pg_advisory_lock(7426003)");
  await sweep();
  await client.query("select pg_advisory_unlock_all()");
  client.release();
  expect(await partitions()).toContain(partitionName(app.clock.now(), 3));
});

test("creates partitions with the same indexes and fill factor as the others", async () => {
  app.clock.setOffset(900 * DAY);
  await sweep();
  const { rows } = await pool.query<{ indexes: number; options: string[]; checks: number }>(
    `select (select count(*)::int from pg_index i where i.indrelid = c.oid) as indexes, c.reloptions as options,
              (select count(*)::int from pg_constraint k where k.conrelid = c.oid and k.contype = 'c') as checks
         from pg_class c where c.relname = $1`,
    [partitionName(app.clock.now(), 3)],
  );
  expect(rows).toEqual([{ indexes: 7, options: ["fillfactor=90"], checks: 0 }]);
});

test("gives up while another transaction locks the table, without blocking others", async () => {
  app.clock.setOffset(1_300 * DAY);
  const other = await pool.connect();
  try {
    await other.query("begin");
    await other.query("insert into licence_events (at, last_at, kind, result_code) values (now(), now(), 'issue', 1)");
    await sweep();
    expect(await partitions()).not.toContain(partitionName(app.clock.now()));
  } finally {
    await other.query("rollback");
    other.release();
  }
  await sweep();
  expect(await partitions()).toContain(partitionName(app.clock.now()));
});

test("KEEP_LICENCE_EVENTS_MONTHS accepts a number of months or an empty value", () => {
  expect(readConfig({ NODE_ENV: "test" }).keepLicenceEventsMonths).toBeNull();
  expect(readConfig({ NODE_ENV: "test", KEEP_LICENCE_EVENTS_MONTHS: "24" }).keepLicenceEventsMonths).toBe(24);
  for (const months of ["0", "-1", "1.5", "soon", "99999"])
    expect(() => readConfig({ KEEP_LICENCE_EVENTS_MONTHS: months })).toThrow("KEEP_LICENCE_EVENTS_MONTHS must be");
});

test("leaves the work to another sweep that is already running", async () => {
  const other = await pool.connect();
  try {
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock(7426005)");
    app.clock.setOffset(3_000 * DAY);
    expect(await maintainEventPartitions.run(createContext(app.services))).toBe(0);
  } finally {
    await other.query("rollback");
    other.release();
  }
});
