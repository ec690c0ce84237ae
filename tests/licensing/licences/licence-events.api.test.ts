import { createContext } from "#api/platform/context.ts";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { ResultCode } from "#schema/result-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { recordRepeatedEvent, type LicenceEventRecord } from "#api/licensing/licences/record-licence-event.ts";
import { addMilliseconds, HOUR, MINUTE } from "#api/platform/clock.ts";
import { query } from "#api/platform/database/database.ts";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createSignedIn } from "#tests/factories/user.ts";
import { readAllPages } from "#tests/support/read-all-pages.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";

const app = await startTestApp();
const { user, token } = await createSignedIn(app);

const fields = "rows { id at lastAt count kind code asked answer nextStep machineName deviceId addInVersion }";
const history = `query ($id: ID!, $first: Int!, $after: String, $deviceId: ID, $refusalsOnly: Boolean! = false) {
  licence(id: $id) { events(first: $first, after: $after, deviceId: $deviceId, refusalsOnly: $refusalsOnly) {
    ${fields} endCursor } } }`;

const em = () => app.services.orm.em.fork();

async function queryHistory(licence: Licence, variables: Record<string, unknown> = {}, as = token) {
  const { data, errors } = await app.graphql(history, { id: licence.id, first: 50, ...variables }, as);
  expect(errors).toBeUndefined();
  return data.licence.events as {
    rows: { id: string; at: string; count: number; kind: string; code: string; [name: string]: unknown }[];
    endCursor: string | null;
  };
}

/** Writes events at the given moments, oldest first. */
async function writeEvents(licence: Licence, moments: readonly Date[], changes: Partial<LicenceEvent> = {}) {
  for (const at of moments) await createLicenceEvent(app, { at, licenceId: licence.id, ...changes });
}

test("the history of a licence describes the request, the result and the next step", async () => {
  const licence = await createLicence(app, user);
  await callAddin(app, "activate", licence, { machine: buildMachine() });
  const second = buildMachine({ machineName: "SECOND|planning.local" });
  await callAddin(app, "activate", licence, { machine: second });
  await callAddin(app, "move/code", licence, { machine: second });
  const { rows, endCursor } = await queryHistory(licence);
  expect(endCursor).toBeNull();
  expect(rows).toMatchObject([
    { kind: "MOVE", code: "VALID", answer: "A move to this device was prepared. Nothing has changed yet." },
    {
      kind: "ACTIVATE",
      code: "MACHINE_LIMIT_EXCEEDED",
      asked: "Device activation",
      answer: "The licence is already in use on as many devices as it allows. Please free one first.",
      nextStep: "Deactivate a device that you no longer use, then activate this one again.",
      machineName: "SECOND|planning.local",
      deviceId: null,
      addInVersion: "7.2.0",
      count: 1,
    },
    { kind: "ACTIVATE", code: "VALID", answer: "The device was activated.", nextStep: null },
  ]);
});

test("the history of a licence is paged without gaps or repeated rows, even if many events have the same time", async () => {
  const licence = await createLicence(app, user);
  const now = app.clock.now();
  // The events span four months, with ten at one moment. Months without a partition are in the default partition.
  const same = Array.from({ length: 10 }, () => now);
  const later = Array.from({ length: 20 }, (_, n) => addMilliseconds(now, n * 6 * 24 * HOUR));
  await writeEvents(licence, [...same, ...later]);
  // An empty cursor starts at the newest event.
  const rows = await readAllPages((after) => queryHistory(licence, { first: 7, after: after ?? "" }));
  const seen = rows.map(({ id }) => id);
  expect([seen.length, new Set(seen).size]).toEqual([30, 30]);
  const all = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { at: "desc", id: "desc" } });
  expect(seen).toEqual(all.map(({ id }) => String(id)));
});

test("the history of a licence can be filtered by device, by refusals, or both", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 3 });
  const [one, two] = [await createDevice(app, licence), await createDevice(app, licence)];
  const now = app.clock.now();
  await writeEvents(licence, [now], { deviceId: one.id });
  await writeEvents(licence, [now], { deviceId: two.id });
  await writeEvents(licence, [now], { deviceId: two.id, resultCode: 14 });
  await writeEvents(licence, [now], { resultCode: 22 });
  const listCodes = async (variables: Record<string, unknown>) =>
    (await queryHistory(licence, variables)).rows.map(({ code }) => code).toSorted();
  expect(await listCodes({ deviceId: two.id })).toEqual(["LICENCE_EXPIRED", "VALID"]);
  expect(await listCodes({ refusalsOnly: true })).toEqual(["LICENCE_EXPIRED", "MACHINE_LIMIT_EXCEEDED"]);
  expect(await listCodes({ deviceId: two.id, refusalsOnly: true })).toEqual(["LICENCE_EXPIRED"]);
  expect([await listCodes({ deviceId: randomUUID() }), await listCodes({ deviceId: "' or 1=1 --" })]).toEqual([[], []]);
  const byDevice = "devices { id events(first: 5) { rows { code } endCursor } }";
  const { data } = await app.graphql(`licence { ${byDevice} }`, { id: licence.id }, token);
  const devices = data.licence.devices as { id: string; events: { rows: unknown[] } }[];
  const counts = Object.fromEntries(devices.map(({ id, events }) => [id, events.rows.length]));
  // By id, because devices of the same moment have no fixed order.
  expect(counts).toEqual({ [one.id]: 1, [two.id]: 2 });
});

test("rejects malformed cursors and page sizes as bad input", async () => {
  const licence = await createLicence(app, user);
  const encode = (cursor: string) => Buffer.from(cursor).toString("base64url");
  for (const variables of [
    { after: "nonsense" },
    { after: encode("1.2.3") },
    { after: encode(`${"9".repeat(17)}.1`) },
    { after: encode("1'; drop table users --.1") },
    { first: 0 },
    { first: -5 },
    { first: 101 },
  ]) {
    const { errors } = await app.graphql(history, { id: licence.id, first: 10, ...variables }, token);
    expect([variables, errors?.[0]?.extensions.code]).toEqual([variables, "BAD_USER_INPUT"]);
  }
});

describe("repeated successes", () => {
  const device = randomUUID();
  let licence: Licence;
  beforeAll(async () => {
    licence = await createLicence(app, user);
  });
  const start = app.clock.now();
  const note = async (ms: number, changes: Partial<LicenceEventRecord> = {}, ip = "203.0.113.7") => {
    const context = createContext({ ...app.services, clock: { now: () => addMilliseconds(start, ms) } });
    await recordRepeatedEvent({ ...context, em: context.em, origin: { ...context.origin, ip } }, context.em, {
      kind: "usage",
      resultCode: ResultCode.VALID,
      licenceId: licence.id,
      deviceId: device,
      machineName: "PLANNING-1",
      ...changes,
    });
  };
  const rows = () => em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { at: "asc", id: "asc" } });

  test("share one row with a count and the latest time for an hour; later ones start a new row", async () => {
    for (const ms of [0, 5 * MINUTE, 59 * MINUTE, HOUR, 61 * MINUTE]) await note(ms);
    const found = await rows();
    expect(found.map(({ count }) => count)).toEqual([3, 2]);
    expect(found.map(({ lastAt }) => lastAt.getTime() - start.getTime())).toEqual([59 * MINUTE, 61 * MINUTE]);
    expect(found[0]?.at).toEqual(start);
  });

  test("get separate rows if the device, kind, machine name or address differs, and after a refusal, which has its own", async () => {
    licence = await createLicence(app, user);
    await note(0);
    await note(MINUTE, { deviceId: randomUUID() });
    await note(MINUTE, { deviceId: null });
    await note(MINUTE, { kind: "release" });
    await note(MINUTE, { machineName: "PLANNING-2" });
    await note(MINUTE, {}, "203.0.113.8");
    for (let n = 0; n < 2; n++) await note(MINUTE, { resultCode: ResultCode.LICENCE_EXPIRED });
    // The newest answer is listed last.
    await note(MINUTE);
    const found = await rows();
    expect(found).toHaveLength(9);
    expect(found.every(({ count, at, lastAt }) => count === 1 && at.getTime() === lastAt.getTime())).toBe(true);
  });

  test("are counted in place without updating an index", async () => {
    const context = app.context();
    const counted = await createLicence(app, user);
    await context.em.transactional(async (tx) => {
      const updates = async () =>
        (
          await query<{ all: number; hot: number }>(
            tx,
            `select sum(pg_stat_get_xact_tuples_updated(inhrelid))::int as all,
                    sum(pg_stat_get_xact_tuples_hot_updated(inhrelid))::int as hot
               from pg_inherits where inhparent = 'licence_events'::regclass`,
            [],
          )
        )[0] ?? { all: 0, hot: 0 };
      const before = await updates();
      // A database page has room for this many row versions, and none of them is removed within a transaction.
      for (let n = 0; n < 5; n++)
        await recordRepeatedEvent(context, tx, { kind: "usage", resultCode: ResultCode.VALID, licenceId: counted.id });
      const { all, hot } = await updates();
      expect([all - before.all, hot - before.hot]).toEqual([4, 4]);
    });
  });
});
