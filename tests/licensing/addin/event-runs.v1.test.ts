import { expect, test, afterEach } from "vitest";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { type LicenceAnswer, getResultCodeName } from "#api/licensing/licences/licence-answer.ts";
import { validateLicence } from "#api/licensing/licences/validate-licence.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { buildValuesFrom, callAddinFrom, toMachine } from "#tests/factories/addin.ts";
import {
  createConcurrentLicence,
  createDevice,
  createExpiredLicence,
  createLicence,
} from "#tests/factories/licence.ts";
import { createLease } from "#tests/factories/lease.ts";
import { createUser } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const em = () => app.services.orm.em.fork();
const user = await createUser(app);

async function deviceOn(licence: Licence) {
  return { licence, device: await createDevice(app, licence) };
}

test("processes concurrent devices in shared statements, each with its own answer, event and time", async () => {
  const many = await Promise.all(
    Array.from({ length: 12 }, async (_, index) =>
      deviceOn(index % 4 === 0 ? await createExpiredLicence(app, user) : await createLicence(app, user)),
    ),
  );
  let answers: LicenceAnswer[] = [];
  const statements = await recordStatements(async () => {
    answers = await Promise.all(
      many.map(({ device, licence }) => validateLicence(app.context(), buildValuesFrom(app, device, licence))),
    );
  });
  expect(statements).toHaveLength(1);
  for (const [index, { device, licence }] of many.entries()) {
    const resultCode = index % 4 === 0 ? 14 : 1;
    expect(answers[index]).toMatchObject({ code: getResultCodeName(resultCode), deviceId: device.id });
    const events = await em().find(LicenceEvent, { licenceId: licence.id });
    expect(events).toMatchObject([{ resultCode, deviceId: device.id, count: 1 }]);
  }
});

test("answers ten concurrent requests from one device and counts them in one row", async () => {
  const { licence, device } = await deviceOn(await createLicence(app, user));
  const answers = await Promise.all(Array.from({ length: 10 }, () => callAddinFrom(app, device, "validate", licence)));
  expect(answers.every(({ json }) => json.data.valid)).toBe(true);
  const events = await em().find(LicenceEvent, { licenceId: licence.id });
  expect([events.reduce((sum, { count }) => sum + count, 0), events.length]).toEqual([10, 1]);
});

test("combines identical successes within an hour; another version, a refusal or the next hour starts a new row", async () => {
  const { licence, device } = await deviceOn(await createLicence(app, user));
  const validated = (changes = {}) => callAddinFrom(app, device, "validate", licence, changes);
  for (const minutes of [0, 10, 59, 61]) {
    app.clock.setOffset(minutes * MINUTE);
    await validated();
  }
  await validated({ addInVersion: "7.3.0" });
  await validated({ addInVersion: "7.3.0", machine: toMachine(device, { isVm: true }) });
  await validated({ addInVersion: "7.3.0", machine: toMachine(device, { isVm: true }) });
  await validated({ addInVersion: "7.3.0" });
  const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });
  expect(events.map(({ resultCode, count, addInVersion }) => [resultCode, count, addInVersion])).toEqual([
    [1, 3, "7.2.0"],
    [1, 1, "7.2.0"],
    [1, 1, "7.3.0"],
    [24, 1, "7.3.0"],
    [24, 1, "7.3.0"],
    [1, 1, "7.3.0"],
  ]);
});

test("starts a new row for a lease after a refused heartbeat", async () => {
  const licence = await createConcurrentLicence(app, user);
  const device = await createDevice(app, licence);
  const { id: leaseId } = await createLease(app, device);
  const beat = async () => (await callAddinFrom(app, device, "heartbeat", licence, { leaseId })).json.data.resultCode;
  const suspend = (at: Date | null) =>
    app.services.pool.query("update licences set suspended_at = $2 where id = $1", [licence.id, at]);
  expect([await beat(), await beat()]).toEqual([1, 1]);
  await suspend(app.clock.now());
  expect([await beat(), await beat()]).toEqual([13, 13]);
  await suspend(null);
  expect([await beat(), await beat()]).toEqual([1, 1]);
  const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });
  expect(events.map(({ resultCode, count }) => [resultCode, count])).toEqual([
    [1, 2],
    [13, 1],
    [13, 1],
    [1, 2],
  ]);
});
