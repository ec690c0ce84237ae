import { afterAll, expect, test } from "vitest";
import { pino } from "pino";
import { cullLeases } from "#api/licensing/leases/cull-leases.ts";
import { heartbeat } from "#api/licensing/leases/heartbeat.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { after, createMovableClock, SECOND } from "#api/platform/clock.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { machineOf, question } from "#tests/factories/addin.ts";
import { createLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice, tokenOf } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { crowds, ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { untilDone } from "#tests/support/ask-again.ts";
import { openBeside } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const processes = [app.services, await openBeside(app)];
const user = await createUser(app, { annualDeactivationLimit: 1_000 });
const em = () => app.services.orm.em.fork();

const asked = (licence: Licence, device: Device, more: object) =>
  ({
    ...question(app, licence.licenceCode, { machine: machineOf(device), machineToken: tokenOf(app, device) }),
    clientTimeUtc: app.clock.now(),
    ...more,
  }) as never;

let turn = 0;
const anyProcess = () => createContext(processes[turn++ % processes.length] as Services);

/** Result code → how often. */
function codesOf(answers: readonly LicenceAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const running = (licence: Licence, now = app.clock.now()) =>
  em().count(Lease, { licence: licence.id, endedAt: null, expiresAt: { $gt: now } });

test.each(crowds)(
  "%i sessions that ask for a seat at once, of %i there are, get exactly those; %i rounds, two processes",
  async (many, seats, rounds) => {
    for (let round = 0; round < rounds; round++) {
      const licence = await createConcurrentLicence(app, user, { numberOfUsers: seats });
      const device = await createDevice(app, licence);
      const answers = await Promise.all(
        Array.from({ length: many }, (_, n) =>
          untilDone(() => takeLease(anyProcess(), asked(licence, device, { sessionId: `s${n}` }))),
        ),
      );
      const given = Math.min(many, seats);
      expect(codesOf(answers)).toEqual({ VALID: given, ...(many > given ? { NO_SEATS_AVAILABLE: many - given } : {}) });
      expect(await running(licence)).toBe(given);
      expect(Math.max(...answers.map(({ lease }) => lease?.inUse ?? 0))).toBe(given);
    }
  },
  240_000,
);

test("late heartbeats, culling and others who want the seat: it is held once, 12 rounds", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1 });
    const devices = await Promise.all(Array.from({ length: 6 }, () => createDevice(app, licence)));
    const lapsed = { expiresAt: after(app.clock.now(), -SECOND) };
    const leases = await Promise.all(devices.slice(0, 3).map((device) => createLease(app, device, lapsed)));
    const [answers] = await Promise.all([
      Promise.all([
        ...leases.map(({ id: leaseId }, index) =>
          untilDone(() => heartbeat(anyProcess(), asked(licence, devices[index] as Device, { leaseId }))),
        ),
        ...devices
          .slice(3)
          .map((device) => untilDone(() => takeLease(anyProcess(), asked(licence, device, { sessionId: "s" })))),
      ]),
      ...processes.map((services) => cullLeases.run(createContext(services))),
    ]);
    expect(codesOf(answers).VALID).toBe(1);
    expect(await running(licence)).toBe(1);
  }
}, 120_000);

test("a heartbeat sent just in time is late in the database: the seat is kept or given away, never both, 30 rounds", async () => {
  // Two processes whose clocks differ by a second stand for a heartbeat that was held up on its way.
  const ahead = await openServices(
    app.services.config,
    app.database,
    { log: pino({ level: "silent" }), clock: createMovableClock(SECOND) },
    { payments: app.services.payments, jobs: { polling: false } },
  );
  afterAll(() => closeServices(ahead));
  for (let round = 0; round < ROUNDS.of2; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1 });
    const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
    const { id: leaseId } = await createLease(app, ada, { expiresAt: after(app.clock.now(), SECOND / 2) });
    const questions = [
      () => untilDone(() => heartbeat(createContext(app.services), asked(licence, ada, { leaseId }))),
      () => untilDone(() => takeLease(createContext(ahead), asked(licence, bob, { sessionId: "s" }))),
    ];
    // At the same moment, and one after the other in both orders: the first one has it.
    const order = round % 2 ? questions : questions.toReversed();
    if (round % 3) {
      expect(codesOf(await Promise.all(order.map((ask) => ask()))).VALID).toBe(1);
    } else {
      expect((await order[0]?.())?.code).toBe("VALID");
      expect((await order[1]?.())?.code).toBe(round % 2 ? "NO_SEATS_AVAILABLE" : "LEASE_EXPIRED");
    }
    expect(await running(licence, after(app.clock.now(), SECOND))).toBe(1);
  }
}, 120_000);

test("a heartbeat that begins after the licence was revoked is never valid, 12 rounds", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 10 });
    const device = await createDevice(app, licence);
    const leases = await Promise.all(Array.from({ length: 10 }, () => createLease(app, device)));
    const beat = (leaseId: string) => untilDone(() => heartbeat(anyProcess(), asked(licence, device, { leaseId })));
    const before = leases.map(({ id }) => beat(id));
    await app.services.pool.query("update licences set revoked_at = $2 where id = $1", [licence.id, app.clock.now()]);
    const later = await Promise.all(leases.map(({ id }) => beat(id)));
    expect(codesOf(later)).toEqual({ LICENCE_REVOKED: 10 });
    for (const { code } of await Promise.all(before)) expect(["VALID", "LICENCE_REVOKED"]).toContain(code);
  }
}, 120_000);

test("freeing a device and taking a seat on it: no seat outlives its device, 12 rounds", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 5 });
    const device = await createDevice(app, licence);
    const { id: leaseId } = await createLease(app, device);
    const body = (more: object) => ({
      body: {
        ...question(app, licence.licenceCode, { machine: machineOf(device), machineToken: tokenOf(app, device) }),
        ...more,
      },
    });
    const answers = await Promise.all([
      app.rest("POST", "/v1/licence/deactivate", body({ reason: "Device change" })),
      ...Array.from({ length: 5 }, (_, n) => app.rest("POST", "/v1/licence/lease", body({ sessionId: `s${n}` }))),
      ...Array.from({ length: 3 }, () => app.rest("POST", "/v1/licence/heartbeat", body({ leaseId }))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(answers[0]?.json.data.resultCode).toBe(1);
    expect(await running(licence)).toBe(0);
  }
}, 120_000);
