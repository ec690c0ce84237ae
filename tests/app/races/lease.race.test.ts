import { expect, test } from "vitest";
import { cleanUpLeases } from "#api/licensing/leases/release-lease.ts";
import { heartbeat } from "#api/licensing/leases/heartbeat.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { addMilliseconds, createMovableClock, SECOND } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { buildRequestFrom, buildValuesFrom } from "#tests/factories/addin.ts";
import { createLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { atOnce, crowds, ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { alternateContexts, openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const anyProcess = await alternateContexts(app);
const user = await createUser(app, { annualDeactivationLimit: 1_000 });
const em = () => app.services.orm.em.fork();

const toRequest = (licence: Licence, device: Device, more: Record<string, unknown>) =>
  buildValuesFrom(app, device, licence, more);

function countCodes(answers: readonly LicenceAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const countRunning = (licence: Licence, now = app.clock.now()) =>
  em().count(Lease, { licence: licence.id, endedAt: null, expiresAt: { $gt: now } });

const timeout = 240_000;
test.each(crowds)("of %i sessions at once, gives %i a seat (%i rounds)", { timeout }, async (many, seats, rounds) => {
  for (let round = 0; round < rounds; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: seats });
    const device = await createDevice(app, licence);
    const answers = await atOnce(many, (n) =>
      retryUntilDone(() => takeLease(anyProcess(), toRequest(licence, device, { sessionId: `s${n}` }))),
    );
    const given = Math.min(many, seats);
    const refused = many > given ? { NO_SEATS_AVAILABLE: many - given } : {};
    expect(countCodes(answers)).toEqual({ VALID: given, ...refused });
    expect(await countRunning(licence)).toBe(given);
    expect(Math.max(...answers.map(({ lease }) => lease?.inUse ?? 0))).toBe(given);
  }
});

test("gives a seat to one session when late heartbeats, the lease sweep and new sessions compete for it", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1 });
    const devices = await atOnce(6, () => createDevice(app, licence));
    const lapsed = { expiresAt: addMilliseconds(app.clock.now(), -SECOND) };
    const leases = await Promise.all(devices.slice(0, 3).map((device) => createLease(app, device, lapsed)));
    const [answers] = await Promise.all([
      Promise.all([
        ...leases.map(({ id: leaseId }, index) =>
          retryUntilDone(() => heartbeat(anyProcess(), toRequest(licence, devices[index] as Device, { leaseId }))),
        ),
        ...devices
          .slice(3)
          .map((device) =>
            retryUntilDone(() => takeLease(anyProcess(), toRequest(licence, device, { sessionId: "s" }))),
          ),
      ]),
      ...[1, 2].map(() => cleanUpLeases.run(anyProcess())),
    ]);
    expect(countCodes(answers).VALID).toBe(1);
    expect(await countRunning(licence)).toBe(1);
  }
});

test("either keeps a seat or gives it to another session when a heartbeat arrives just as the seat expires", async () => {
  // Two processes with clocks a second apart simulate a heartbeat that was delayed in transit.
  const ahead = await openSecondProcess(app, {}, { polling: false }, { clock: createMovableClock(SECOND) });
  for (let round = 0; round < ROUNDS.of2; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1 });
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    const { id: leaseId } = await createLease(app, ada, { expiresAt: addMilliseconds(app.clock.now(), SECOND / 2) });
    const requests = [
      () => retryUntilDone(() => heartbeat(createContext(app.services), toRequest(licence, ada, { leaseId }))),
      () => retryUntilDone(() => takeLease(createContext(ahead), toRequest(licence, bob, { sessionId: "s" }))),
    ];
    // Send the requests concurrently, or one after the other in either order. The first request gets the seat.
    const order = round % 2 ? requests : requests.toReversed();
    if (round % 3) {
      expect(countCodes(await Promise.all(order.map((send) => send()))).VALID).toBe(1);
    } else {
      expect((await order[0]?.())?.code).toBe("VALID");
      expect((await order[1]?.())?.code).toBe(round % 2 ? "NO_SEATS_AVAILABLE" : "LEASE_EXPIRED");
    }
    expect(await countRunning(licence, addMilliseconds(app.clock.now(), SECOND))).toBe(1);
  }
});

test("rejects heartbeats that begin after the licence was revoked", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 10 });
    const device = await createDevice(app, licence);
    const leases = await atOnce(10, () => createLease(app, device));
    const sendHeartbeat = (leaseId: string) =>
      retryUntilDone(() => heartbeat(anyProcess(), toRequest(licence, device, { leaseId })));
    const before = leases.map(({ id }) => sendHeartbeat(id));
    await app.services.pool.query("update licences set revoked_at = $2 where id = $1", [licence.id, app.clock.now()]);
    const later = await Promise.all(leases.map(({ id }) => sendHeartbeat(id)));
    expect(countCodes(later)).toEqual({ LICENCE_REVOKED: 10 });
    for (const { code } of await Promise.all(before)) expect(["VALID", "LICENCE_REVOKED"]).toContain(code);
  }
});

test("leaves no seat on a device that is deactivated while it takes one", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 5 });
    const device = await createDevice(app, licence);
    const { id: leaseId } = await createLease(app, device);
    const body = (more: Record<string, unknown>) => ({ body: buildRequestFrom(app, device, licence, more) });
    const answers = await Promise.all([
      app.rest("POST", "/v1/licence/deactivate", body({ reason: "Device change" })),
      ...Array.from({ length: 5 }, (_, n) => app.rest("POST", "/v1/licence/lease", body({ sessionId: `s${n}` }))),
      ...Array.from({ length: 3 }, () => app.rest("POST", "/v1/licence/heartbeat", body({ leaseId }))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(answers[0]?.json.data.resultCode).toBe(1);
    expect(await countRunning(licence)).toBe(0);
  }
});
