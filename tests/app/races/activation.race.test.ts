import { expect, test } from "vitest";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { machine, question } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { crowds, ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { untilDone } from "#tests/support/ask-again.ts";
import { besideAnother, openBeside } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await besideAnother(app);
const processes = [app.services, await openBeside(app)];
const AT_ONCE = 50;

/** Result code → how often, of many activations at the same moment. */
async function activateAll(bodies: object[]): Promise<Record<number, number>> {
  const answers = await Promise.all(bodies.map((body) => call("POST", "/v1/licence/activate", body)));
  expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
  const counts: Record<number, number> = {};
  for (const { json } of answers) counts[json.data.resultCode] = (counts[json.data.resultCode] ?? 0) + 1;
  return counts;
}

const asked = (licence: Licence) =>
  ({ ...question(app, licence.licenceCode), clientTimeUtc: app.clock.now() }) as never;

const activeDevices = (licenceId: string) =>
  app.services.orm.em.fork().count(Device, { licence: licenceId, freedAt: null });

test.each(crowds)(
  "%i machines that activate at once, on a licence for %i, get exactly those places; %i rounds, two processes",
  async (many, places, rounds) => {
    const user = await createUser(app);
    const given = Math.min(many, places);
    for (let round = 0; round < rounds; round++) {
      const licence = await createLicence(app, user, { numberOfMachines: places });
      const answers = await Promise.all(
        Array.from({ length: many }, (_, n) =>
          untilDone(() => activateDevice(createContext(processes[n % 2] as Services), asked(licence))),
        ),
      );
      expect(answers.filter(({ code }) => code === "VALID")).toHaveLength(given);
      expect(answers.filter(({ code }) => code === "MACHINE_LIMIT_EXCEEDED")).toHaveLength(many - given);
      expect(await activeDevices(licence.id)).toBe(given);
    }
  },
  240_000,
);

test("swaps and activations at once never make one device too many, 10 rounds, two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 10 });
    const licence = await createLicence(app, user, { numberOfMachines: 2 });
    const old = await createDevice(app, licence);
    const counts = await activateAll(
      Array.from({ length: 20 }, (_, n) =>
        question(app, licence.licenceCode, n % 2 ? { replaceMachineId: old.id } : {}),
      ),
    );
    // One takes the free place, one the old device's; which of them swapped is open.
    const swapped = await app.services.orm.em.fork().count(Deactivation, { user: user.id });
    expect(counts).toEqual({ 1: 1 + swapped, 22: 19 - swapped });
    expect(await activeDevices(licence.id)).toBe(2);
  }
}, 180_000);

test("one machine that activates 50 times at once is one device, 5 rounds, two processes", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of50; round++) {
    const licence = await createLicence(app, user, { numberOfMachines: 5 });
    const me = machine();
    const same = () => question(app, licence.licenceCode, { machine: me });
    expect(await activateAll(Array.from({ length: AT_ONCE }, same))).toEqual({ 1: AT_ONCE });
    expect(await activeDevices(licence.id)).toBe(1);
  }
}, 180_000);

test("20 machines that swap themselves in for one device free it once, 10 rounds, two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 10 });
    const licence = await createLicence(app, user);
    const old = await createDevice(app, licence);
    const swap = () => question(app, licence.licenceCode, { replaceMachineId: old.id });
    expect(await activateAll(Array.from({ length: 20 }, swap))).toEqual({ 1: 1, 22: 19 });
    expect(await activeDevices(licence.id)).toBe(1);
    expect(await app.services.orm.em.fork().count(Deactivation, { user: user.id })).toBe(1);
  }
}, 180_000);
