import { expect, test } from "vitest";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { UsageEvent } from "#api/licensing/usage/usage-event.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { buildRequestFrom, callAddinFrom } from "#tests/factories/addin.ts";
import { createDevice, createExpiredLicence, createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const user = await createUser(app);
const em = () => app.services.orm.em.fork();

let count = 0;
const conversions = (many: number) =>
  Array.from({ length: many }, () => ({
    id: `conversion-${++count}`,
    kind: "conversion",
    atUtc: app.clock.now().toISOString(),
  }));

const report = (licence: Licence, device: Device, events: unknown, changes = {}) =>
  callAddinFrom(app, device, "usage", licence, { events, ...changes });

async function trial(changes: Partial<Licence> = {}) {
  const licence = await createTrialLicence(app, user, changes);
  return { licence, device: await createDevice(app, licence) };
}

const usageCount = async (licence: Licence) => (await em().findOneOrFail(Licence, licence.id)).usageCount;

test("counts conversions and returns how many are left", async () => {
  const { licence, device } = await trial();
  const { status, json } = await report(licence, device, conversions(3));
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ valid: true, resultCode: 1, usageRemaining: 17, machine: { id: device.id } });
  expect(json.data).not.toHaveProperty("graceUntilUtc");
  expect(await usageCount(licence)).toBe(3);
});

test("counts an id once, whether it is repeated in one report or in two", async () => {
  const { licence, device } = await trial();
  const [first, second] = conversions(2);
  await report(licence, device, [first, first, second]);
  const { json } = await report(licence, device, [second, first]);
  expect(json.data).toMatchObject({ resultCode: 1, usageRemaining: 18 });
  expect(await em().count(UsageEvent, { licence: licence.id })).toBe(2);
  // Another licence counts the same ids separately.
  const other = await trial();
  expect((await report(other.licence, other.device, [first])).json.data.usageRemaining).toBe(19);
});

test("records the last conversion of a trial, then refuses", async () => {
  const { licence, device } = await trial({ usageCount: 18 });
  expect((await report(licence, device, conversions(2))).json.data).toMatchObject({ resultCode: 1, usageRemaining: 0 });
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(41);
});

test("returns USAGE_LIMIT_REACHED past the limit, but answers a repeated report as before", async () => {
  const { licence, device } = await trial({ usageCount: 19 });
  const last = conversions(1);
  await report(licence, device, last);
  expect((await report(licence, device, last)).json.data).toMatchObject({ resultCode: 1, usageRemaining: 0 });
  expect((await report(licence, device, conversions(1))).json.data).toMatchObject({
    valid: false,
    resultCode: 41,
    usageRemaining: 0,
  });
  expect(await usageCount(licence)).toBe(21);
});

test("counts conversions without a limit, and returns no number of conversions left", async () => {
  const licence = await createLicence(app, user);
  const { json } = await report(licence, await createDevice(app, licence), conversions(4));
  expect(json.data.resultCode).toBe(1);
  expect(json.data).not.toHaveProperty("usageRemaining");
  expect(await usageCount(licence)).toBe(4);
});

test("counts a report that arrives after the licence has expired, and returns code 14", async () => {
  const licence = await createExpiredLicence(app, user, { usageLimit: 20 });
  const yesterday = addMilliseconds(app.clock.now(), -2 * DAY).toISOString();
  const events = [{ id: "late", kind: "conversion", atUtc: yesterday }];
  const { json } = await report(licence, await createDevice(app, licence), events);
  expect(json.data).toMatchObject({ resultCode: 14, usageRemaining: 19 });
  const stored = await em().findOneOrFail(UsageEvent, { licence: licence.id });
  expect(stored.at.toISOString()).toBe(yesterday);
  expect(stored.recordedAt.getTime()).toBeGreaterThan(stored.at.getTime());
});

test("counts nothing for a deactivated device", async () => {
  const { licence } = await trial();
  const deactivated = await createDevice(app, licence, { freedAt: app.clock.now() });
  expect((await report(licence, deactivated, conversions(1))).json.data.resultCode).toBe(21);
  expect(await usageCount(licence)).toBe(0);
});

test("rejects malformed events with a 400 that names the field", async () => {
  const { licence, device } = await trial();
  const event = { id: "a", kind: "conversion", atUtc: "2025-01-01" };
  for (const [events, field] of [
    [[], "events"],
    ["x", "events"],
    [Array.from({ length: 501 }, (_, n) => ({ ...event, id: `${n}` })), "events"],
    [[{ ...event, kind: "export" }], "events[0].kind"],
    [[{ ...event, id: undefined }], "events[0].id"],
    [[{ ...event, atUtc: "2025-02-31T00:00:00Z" }], "events[0].atUtc"],
    [[7], "events[0]"],
  ] as const) {
    const { status, json } = await report(licence, device, events);
    expect([status, Object.keys(json)]).toEqual([400, [field]]);
  }
});

test("counts 20 concurrent reports of the same 5 conversions once, across two processes", async () => {
  const call = await alternateProcesses(app);
  for (let round = 0; round < 3; round++) {
    const { licence, device } = await trial();
    const events = conversions(5);
    const same = () => buildRequestFrom(app, device, licence, { events });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call("POST", "/v1/licence/usage", same())));
    const expected = Array(20).fill([1, 15]);
    expect(answers.map(({ json }) => [json.data.resultCode, json.data.usageRemaining])).toEqual(expected);
    expect(await usageCount(licence)).toBe(5);
  }
});
