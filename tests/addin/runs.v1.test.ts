import { expect, test } from "vitest";
import { LicenceEvent } from "#api/features/licences/licence-event.entity.ts";
import type { Licence } from "#api/features/licences/licence.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { askFrom, machineOf } from "#tests/factories/addin.ts";
import { createDevice, createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { statementsOf } from "#tests/support/count-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const user = await createUser(app);

async function deviceOn(licence: Licence) {
  return { licence, device: await createDevice(app, licence) };
}

test("many devices at once share statements, and each has its answer, its event and its time", async () => {
  const many = await Promise.all(
    Array.from({ length: 40 }, async (_, index) =>
      deviceOn(index % 4 === 0 ? await createExpiredLicence(app, user) : await createLicence(app, user)),
    ),
  );
  let answers: Awaited<ReturnType<typeof askFrom>>[] = [];
  const statements = await statementsOf(async () => {
    answers = await Promise.all(many.map(({ device, licence }) => askFrom(app, device, "validate", licence)));
  });
  expect(statements.length).toBeLessThan(many.length);
  for (const [index, { device, licence }] of many.entries()) {
    const resultCode = index % 4 === 0 ? 14 : 1;
    expect(answers[index]?.json.data).toMatchObject({ resultCode, machine: { id: device.id } });
    const events = await em().find(LicenceEvent, { licenceId: licence.id });
    expect(events).toMatchObject([{ resultCode, deviceId: device.id, count: 1 }]);
  }
});

test("one device 30 times at once is answered 30 times and counted 30 times, in one row", async () => {
  const { licence, device } = await deviceOn(await createLicence(app, user));
  const answers = await Promise.all(Array.from({ length: 30 }, () => askFrom(app, device, "validate", licence)));
  expect(answers.every(({ json }) => json.data.valid)).toBe(true);
  const events = await em().find(LicenceEvent, { licenceId: licence.id });
  expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(30);
  expect(events).toHaveLength(1);
});

test("identical successes within an hour are one row; another version, a refusal or the next hour begin a new one", async () => {
  const { licence, device } = await deviceOn(await createLicence(app, user));
  const validated = (changes = {}) => askFrom(app, device, "validate", licence, changes);
  try {
    for (const minutes of [0, 10, 59, 61]) {
      app.clock.setOffset(minutes * MINUTE);
      await validated();
    }
    await validated({ addInVersion: "7.3.0" });
    await validated({ addInVersion: "7.3.0", machine: machineOf(device, { isVm: true }) });
    await validated({ addInVersion: "7.3.0", machine: machineOf(device, { isVm: true }) });
    await validated({ addInVersion: "7.3.0" });
  } finally {
    app.clock.setOffset(0);
  }
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
