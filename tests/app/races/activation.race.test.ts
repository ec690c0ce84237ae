import { expect, test } from "vitest";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { crowds, ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { alternateProcesses, openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const processes = [app.services, await openSecondProcess(app)];
const AT_ONCE = 50;

/** Sends the activations concurrently and counts their result codes. */
async function activateAll(bodies: object[]): Promise<Record<number, number>> {
  const answers = await Promise.all(bodies.map((body) => call("POST", "/v1/licence/activate", body)));
  expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
  const counts: Record<number, number> = {};
  for (const { json } of answers) counts[json.data.resultCode] = (counts[json.data.resultCode] ?? 0) + 1;
  return counts;
}

const toRequest = (licence: Licence) =>
  ({ ...buildRequest(app, licence.licenceCode), clientTimeUtc: app.clock.now() }) as never;

const activeDevices = (licenceId: string) =>
  app.services.orm.em.fork().count(Device, { licence: licenceId, freedAt: null });

test.each(crowds)(
  "activates exactly as many of %i concurrent devices as the licence allows (%i), in %i rounds across two processes",
  async (many, limit, rounds) => {
    const user = await createUser(app);
    const given = Math.min(many, limit);
    for (let round = 0; round < rounds; round++) {
      const licence = await createLicence(app, user, { numberOfMachines: limit });
      const answers = await Promise.all(
        Array.from({ length: many }, (_, n) =>
          retryUntilDone(() => activateDevice(createContext(processes[n % 2] as Services), toRequest(licence))),
        ),
      );
      expect(answers.filter(({ code }) => code === "VALID")).toHaveLength(given);
      expect(answers.filter(({ code }) => code === "MACHINE_LIMIT_EXCEEDED")).toHaveLength(many - given);
      expect(await activeDevices(licence.id)).toBe(given);
    }
  },
  240_000,
);

test("never exceeds the device limit with concurrent swaps and activations across two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 10 });
    const licence = await createLicence(app, user, { numberOfMachines: 2 });
    const old = await createDevice(app, licence);
    const counts = await activateAll(
      Array.from({ length: 20 }, (_, n) =>
        buildRequest(app, licence.licenceCode, n % 2 ? { replaceMachineId: old.id } : {}),
      ),
    );
    // One activation takes the unused slot and another one takes the old device's slot. Either of them may be the swap.
    const swapped = await app.services.orm.em.fork().count(Deactivation, { user: user.id });
    expect(counts).toEqual({ 1: 1 + swapped, 22: 19 - swapped });
    expect(await activeDevices(licence.id)).toBe(2);
  }
}, 180_000);

test("creates one device for 50 concurrent activations of one machine across two processes", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of50; round++) {
    const licence = await createLicence(app, user, { numberOfMachines: 5 });
    const me = buildMachine();
    const same = () => buildRequest(app, licence.licenceCode, { machine: me });
    expect(await activateAll(Array.from({ length: AT_ONCE }, same))).toEqual({ 1: AT_ONCE });
    expect(await activeDevices(licence.id)).toBe(1);
  }
}, 180_000);

test("deactivates a device once if 20 machines replace it concurrently across two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const user = await createUser(app, { annualDeactivationLimit: 10 });
    const licence = await createLicence(app, user);
    const old = await createDevice(app, licence);
    const swap = () => buildRequest(app, licence.licenceCode, { replaceMachineId: old.id });
    expect(await activateAll(Array.from({ length: 20 }, swap))).toEqual({ 1: 1, 22: 19 });
    expect(await activeDevices(licence.id)).toBe(1);
    expect(await app.services.orm.em.fork().count(Deactivation, { user: user.id })).toBe(1);
  }
}, 180_000);
