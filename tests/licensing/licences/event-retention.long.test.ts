import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteAccount } from "#api/privacy/erasure/erasure.resolver.ts";
import { emptyDatabase } from "#api/dev/reset-demo.ts";
import { archiveEventMonths, restoreEventMonth } from "#api/licensing/licences/archive-event-months.ts";
import { maintainEventPartitions } from "#api/licensing/licences/maintain-event-partitions.ts";
import { DAY, HOUR } from "#api/platform/clock.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";

const app = await startTestApp({ keepLicenceEventsMonths: 2 });
const second = await openSecondProcess(app);
const { pool } = app.services;

beforeEach(async () => {
  const { rows } = await pool.query<{ name: string }>(
    String.raw`select relname as name from pg_class where relkind = 'r' and relname ~ '^licence_events_\d{4}_\d{2}$'`,
  );
  for (const { name } of rows) await pool.query(`drop table ${name}`);
  await pool.query("truncate detached_event_months, licence_events_default");
});
afterEach(() => app.clock.setOffset(0));

const advance = (ms: number) => app.clock.setOffset(app.clock.offsetMs + ms);
const sweep = async (services: Services = app.services) => {
  await runSweep(services, maintainEventPartitions);
  await runSweep(services, archiveEventMonths);
};
const keeping = (keepLicenceEventsMonths: number | null): Services => ({
  ...app.services,
  config: { ...app.services.config, keepLicenceEventsMonths },
});

const partitionName = (moment: Date, ahead = 0) => {
  const month = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead, 1));
  return `licence_events_${month.toISOString().slice(0, 7).replace("-", "_")}`;
};

const write = (at: Date, licenceId: string | null = null, machineName: string | null = null) =>
  createLicenceEvent(app, { at, licenceId, machineName });

/**
 * Writes one event into each month from `from` to `to`, relative to the current month, and returns the names of their
 * tables.
 */
async function writeMonths(from: number, to: number): Promise<string[]> {
  const now = app.clock.now();
  const names: string[] = [];
  for (let ahead = from; ahead <= to; ahead++) {
    await write(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1, 12)));
    names.push(partitionName(now, ahead));
  }
  await sweep(keeping(null));
  return names;
}

const tables = async (names: readonly string[]): Promise<{ attached: string[]; detached: string[] }> => {
  const { rows } = await pool.query<{ name: string; attached: boolean }>(
    `select relname as name, relispartition as attached from pg_class where relname = any($1) and relkind = 'r' order by 1`,
    [names],
  );
  return {
    attached: rows.filter(({ attached }) => attached).map(({ name }) => name),
    detached: rows.filter(({ attached }) => !attached).map(({ name }) => name),
  };
};

async function countIn(name: string): Promise<number> {
  return (await pool.query<{ count: number }>(`select count(*)::int as count from ${name}`)).rows[0]?.count ?? 0;
}

test("old events are kept forever without the setting", async () => {
  const names = await writeMonths(-6, 0);
  await sweep(keeping(null));
  expect((await tables(names)).attached).toEqual(names);
});

test("old events are removed one month a day, oldest first, and never within the retention period", async () => {
  const names = await writeMonths(-5, 0);
  await sweep();
  expect((await tables(names)).detached).toEqual(names.slice(0, 1));
  await sweep();
  await sweep(second);
  expect((await tables(names)).detached).toEqual(names.slice(0, 1));
  advance(DAY + HOUR);
  await sweep();
  expect((await tables(names)).detached).toEqual(names.slice(0, 2));
});

test("old events are first detached with their rows, and dropped a week later", async () => {
  const [name = ""] = await writeMonths(-3, -3);
  await sweep();
  expect([await tables([name]), await countIn(name)]).toEqual([{ attached: [], detached: [name] }, 1]);
  advance(7 * DAY - HOUR);
  await sweep();
  expect(await tables([name])).toEqual({ attached: [], detached: [name] });
  advance(2 * HOUR);
  await sweep();
  expect(await tables([name])).toEqual({ attached: [], detached: [] });
  const { rows } = await pool.query("select dropped_at from detached_event_months where name = $1", [name]);
  expect(rows).toEqual([{ dropped_at: expect.any(String) }]);
});

test("old events are dropped one month a day if several months were detached long ago", async () => {
  const names = await writeMonths(-5, -3);
  while ((await tables(names)).attached.some((name) => name < partitionName(app.clock.now(), -2))) {
    await sweep();
    advance(DAY + HOUR);
  }
  advance(30 * DAY);
  await Promise.all([sweep(), sweep(second)]);
  await sweep(second);
  expect((await tables(names)).detached).toEqual(names.slice(1));
  advance(DAY + HOUR);
  await sweep();
  expect((await tables(names)).detached).toEqual(names.slice(2));
});

test("old events are attached again by the documented command, and kept if the setting allows it", async () => {
  const [name = ""] = await writeMonths(-3, -3);
  await sweep();
  const sql = `select format('alter table licence_events attach partition %I for values from (%L) to (%L)', name, starts_at, ends_at)
              as command from detached_event_months where name = $1`;
  const { rows } = await pool.query<{ command: string }>(sql, [name]);
  await pool.query(rows[0]?.command ?? "");
  expect(await tables([name])).toEqual({ attached: [name], detached: [] });
  await sweep(keeping(12));
  advance(8 * DAY);
  await sweep(keeping(12));
  expect(await tables([name])).toEqual({ attached: [name], detached: [] });
  expect((await pool.query("select from detached_event_months where name = $1", [name])).rowCount).toBe(0);
});

test("old events are not dropped when the setting was raised or removed after they were detached", async () => {
  const [name = ""] = await writeMonths(-3, -3);
  await sweep();
  advance(8 * DAY);
  await sweep(keeping(12));
  await sweep(keeping(null));
  expect(await tables([name])).toEqual({ attached: [], detached: [name] });
});

test("old events remain in the default partition when they arrive late for a detached month, and block nothing", async () => {
  const [name = ""] = await writeMonths(-3, -3);
  await sweep();
  const now = app.clock.now();
  await write(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 2)));
  advance(60 * DAY);
  await sweep(keeping(12));
  expect((await tables([partitionName(app.clock.now(), 3)])).attached).toHaveLength(1);
  expect((await tables([name])).detached).toEqual([name]);
  await pool.query("delete from licence_events_default");
});

test("old events lose the personal data of a deleted account while they are detached", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const now = app.clock.now();
  await write(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 2)), licence.id, "PLANNING-1");
  const [name = ""] = await writeMonths(-3, -3);
  await sweep();
  expect((await tables([name])).detached).toEqual([name]);
  const actor = { userId: user.id, sessionId: null, role: "regular" } as const;
  await deleteAccount(createContext(app.services, { actor }), { password: testPassword });
  const { rows } = await pool.query(`select machine_name from ${name} where licence_id = $1`, [licence.id]);
  expect(rows).toEqual([{ machine_name: null }]);
});

test("old events leave no tables behind when the development database is emptied", async () => {
  const [name = ""] = await writeMonths(-3, -3);
  await sweep();
  await emptyDatabase(app.database);
  expect(await tables([name])).toEqual({ attached: [], detached: [] });
});

test("old events are not dropped before they are archived", async () => {
  const [name = ""] = await writeMonths(-3, -3);
  await runSweep(app.services, maintainEventPartitions);
  advance(8 * DAY);
  await runSweep(app.services, maintainEventPartitions);
  expect((await tables([name])).detached).toEqual([name]);
});

test("old events come back from the archive for 30 days, without personal data, however often they are restored", async () => {
  const licence = await createLicence(app, await createUser(app));
  const now = app.clock.now();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 2, 3, 4, 5, 678));
  await write(at, licence.id, "PLANNING-1");
  await write(at);
  const [name = ""] = await writeMonths(-3, -3);
  const before = await readEvents(name);
  await sweep();
  advance(8 * DAY);
  await Promise.all([sweep(), sweep(second)]);
  expect(await tables([name])).toEqual({ attached: [], detached: [] });

  // One that arrives late waits in the default partition, where it would keep the month from being attached.
  await write(at);
  const month = name.slice(-7).replace("_", "-");
  const context = () => createContext(app.services);
  const restored = await restoreEventMonth(context(), month);
  await restoreEventMonth(context(), month);
  expect(restored).toMatchObject({ files: 1, events: 3 });
  expect([(await readEvents(name)).slice(0, 3), await countIn(name)]).toEqual([before, 4]);
  expect((await pool.query(`select from ${name} where machine_name is not null`)).rows).toEqual([]);

  // As if the restore had been interrupted and nobody had repeated it.
  await pool.query(`delete from ${name} where id = (select min(id) from ${name})`);
  advance(29 * DAY);
  await sweep();
  expect((await tables([name])).attached).toEqual([name]);
  advance(2 * DAY);
  await sweep();
  expect((await tables([name])).detached).toEqual([name]);
  await expect(restoreEventMonth(context(), month)).rejects.toMatchObject({ code: "CONFLICT" });
  advance(8 * DAY);
  await sweep();
  expect(await restoreEventMonth(context(), month)).toMatchObject({ files: 2, events: 4 });
  expect([(await readEvents(name)).slice(0, 3), await countIn(name)]).toEqual([before, 4]);
  await expect(restoreEventMonth(context(), "2001-01")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

async function readEvents(table: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select id, at, last_at, count, kind, result_code, licence_id, device_id, add_in_version, host_version from ${table} order by id`,
  );
  return rows;
}
