import { expect, test } from "vitest";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { deactivateByAddin } from "#api/licensing/devices/deactivate-device.ts";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import { heartbeat } from "#api/licensing/leases/heartbeat.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { releaseLease, cleanUpLeases } from "#api/licensing/leases/release-lease.ts";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { validateLicence } from "#api/licensing/licences/validate-licence.ts";
import { recordUsage } from "#api/licensing/usage/record-usage.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createConcurrentLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { retryUntilDone } from "#tests/support/retry.ts";
import { Holding, type Span } from "#tests/support/history.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateContexts } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const anyProcess = await alternateContexts(app);
const CLIENTS = 20;
const OPERATIONS = 2_000;
const DEVICE_LIMIT = 8;
const SEATS = 3;
const USAGE_LIMIT = 1_000_000;

interface RequestRecord {
  readonly kind: string;
  readonly code: string;
  readonly span: Span;
  /** The device and lease the client knew when it sent the request. */
  readonly deviceId: string | undefined;
  readonly leaseId: string | undefined;
}

interface Client {
  readonly machine: ReturnType<typeof buildMachine>;
  deviceId?: string;
  machineToken?: string;
  leaseId?: string;
}

/** Returns a random number generator that repeats its sequence for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** Creates a map that adds an empty holding when an id is first read. */
function createHoldings(): { of(id: string): Holding; all(): Map<string, Holding> } {
  const known = new Map<string, Holding>();
  return {
    of(id) {
      let found = known.get(id);
      if (!found) known.set(id, (found = new Holding()));
      return found;
    },
    all: () => known,
  };
}

test("allows only histories that the rules permit when 20 clients send 2,000 random requests to two processes", async () => {
  const seed = Number(process.env.HISTORY_SEED ?? Math.floor(Math.random() * 1_000_000));
  const random = randomFrom(seed);
  const user = await createUser(app, { annualDeactivationLimit: 100_000 });
  const limits = { numberOfMachines: DEVICE_LIMIT, numberOfUsers: SEATS, usageLimit: USAGE_LIMIT };
  const licence = await createConcurrentLicence(app, user, limits);
  const [deviceHoldings, seats, released] = [createHoldings(), createHoldings(), createHoldings()];
  const suspended = new Holding();
  const leasesOfDevice = new Map<string, Set<string>>();
  const history: RequestRecord[] = [];
  const used = new Set<string>();
  const clients = Array.from({ length: CLIENTS }, (): Client => ({ machine: buildMachine() }));
  let [left, events] = [OPERATIONS, 0];
  // The clock moves only while no request is running, so leases expire between two requests.
  let [requestsRunning, pause] = [0, Promise.resolve()];
  let isSuspended = false;

  const recordLoss = (deviceId: string, span: Span) => {
    deviceHoldings.of(deviceId).note(false, span);
    for (const leaseId of leasesOfDevice.get(deviceId) ?? []) seats.of(leaseId).note(false, span);
  };

  async function sendAs(client: Client, kind: string, send: () => Promise<LicenceAnswer>) {
    const { deviceId, leaseId } = client;
    let from = 0;
    const answer = await retryUntilDone(() => {
      from = performance.now();
      return send();
    });
    const span = { from, to: performance.now() };
    history.push({ kind, code: answer.code, span, deviceId, leaseId });
    return { ...answer, span };
  }

  async function sendRandomRequest(client: Client): Promise<void> {
    const context = anyProcess();
    const body = (more: object) =>
      ({
        ...buildRequest(app, licence.licenceCode, { machine: client.machine, machineToken: client.machineToken }),
        clientTimeUtc: app.clock.now(),
        ...more,
      }) as never;
    const { deviceId, leaseId, machineToken } = client;
    const choice = random(20);
    if (!deviceId || !machineToken || choice < 3) {
      const other = clients[random(CLIENTS)]?.deviceId;
      const replaceMachineId = random(3) === 0 && other !== deviceId ? other : undefined;
      const answer = await sendAs(client, "activate", () => activateDevice(context, body({ replaceMachineId })));
      if (!answer.deviceId || answer.code !== "VALID") return;
      deviceHoldings.of(answer.deviceId).note(true, answer.span);
      // The replaced device has been deactivated by this activation or an earlier one.
      if (answer.deviceId !== deviceId && replaceMachineId) recordLoss(replaceMachineId, answer.span);
      Object.assign(client, { deviceId: answer.deviceId, machineToken: answer.machineToken });
    } else if (choice < 7) await sendAs(client, "validate", () => validateLicence(context, body({})));
    else if (choice < 11) {
      const sessionId = `session-${random(2)}`;
      const answer = await sendAs(client, "lease", () => takeLease(context, body({ sessionId })));
      if (!answer.lease) return;
      client.leaseId = answer.lease.id;
      seats.of(answer.lease.id).note(true, answer.span);
      released.of(answer.lease.id).note(false, answer.span);
      leasesOfDevice.set(deviceId, (leasesOfDevice.get(deviceId) ?? new Set()).add(answer.lease.id));
    } else if (choice < 16 && leaseId) {
      const answer = await sendAs(client, "heartbeat", () => heartbeat(context, body({ leaseId })));
      if (answer.code === "VALID") seats.of(leaseId).note(true, answer.span);
    } else if (choice < 17 && leaseId) {
      const answer = await sendAs(client, "release", () => releaseLease(context, body({ leaseId })));
      if (answer.code !== "VALID") return;
      seats.of(leaseId).note(false, answer.span);
      released.of(leaseId).note(true, answer.span);
    } else if (choice < 18) {
      const answer = await sendAs(client, "deactivate", () =>
        deactivateByAddin(context, body({ reason: "Device change" })),
      );
      if (answer.code === "VALID") recordLoss(deviceId, answer.span);
    } else {
      const id = random(4) === 0 && events > 0 ? `event-${random(events)}` : `event-${events++}`;
      const report = body({ events: [{ id, kind: "conversion", atUtc: app.clock.now() }] });
      const answer = await sendAs(client, "usage", () => recordUsage(context, report));
      if (answer.usageRemaining !== undefined) used.add(id);
    }
  }

  async function disturbClients(): Promise<void> {
    if (random(2)) {
      // Alternate, because a random choice might suspend the licence too briefly to test anything.
      isSuspended = !isSuspended;
      const from = performance.now();
      const at = isSuspended ? app.clock.now() : null;
      await app.services.pool.query("update licences set suspended_at = $2 where id = $1", [licence.id, at]);
      suspended.note(isSuspended, { from, to: performance.now() });
    } else {
      let resume = () => {};
      pause = new Promise((resolve) => (resume = resolve));
      while (requestsRunning > 0) await new Promise((resolve) => setImmediate(resolve));
      const from = performance.now();
      app.clock.setOffset(app.clock.offsetMs + 31 * MINUTE);
      const span = { from, to: performance.now() };
      for (const seat of seats.all().values()) seat.note(false, span);
      resume();
    }
  }

  await Promise.all(
    clients.map(async (client, index) => {
      while (left-- > 0) {
        if (index === 0 && random(12) === 0) await disturbClients();
        if (index === 1 && random(12) === 0) await cleanUpLeases.run(createContext(app.services));
        await pause;
        requestsRunning++;
        try {
          await sendRandomRequest(client);
        } finally {
          requestsRunning--;
        }
      }
    }),
  );

  const countHolding = (all: Map<string, Holding>, how: "surely" | "perhaps", span: Span) =>
    [...all.values()].filter((one) => one[how](span)).length;
  /** Returns why a result is impossible, or null if it is possible. */
  function findObjection({ kind, code, span, deviceId, leaseId }: RequestRecord): string | null {
    const now = { from: span.to, to: span.to };
    if (countHolding(deviceHoldings.all(), "surely", now) > DEVICE_LIMIT) return "more devices than allowed";
    if (countHolding(seats.all(), "surely", now) > SEATS) return "more leases than seats";
    const checksSuspension = !["release", "deactivate"].includes(kind);
    if (code === "LICENCE_SUSPENDED") return suspended.perhaps(span) ? null : "it was not suspended";
    // Releases and deactivations are processed even if the licence is suspended.
    if (checksSuspension && suspended.surely(span)) return "it was suspended";
    const device = deviceId ? deviceHoldings.of(deviceId) : new Holding();
    const seat = leaseId ? seats.of(leaseId) : new Holding();
    const othersHold = (all: Map<string, Holding>, limit: number) => countHolding(all, "perhaps", span) >= limit;
    switch (code) {
      case "VALID":
        if (kind === "heartbeat" && released.of(leaseId ?? "").surely(span)) return "the seat had been released";
        if (kind === "activate" || device.perhaps(span)) return null;
        return "the device had been deactivated";
      case "NOT_ACTIVATED":
        return device.surely(span) ? "the device was active" : null;
      case "MACHINE_LIMIT_EXCEEDED":
        return othersHold(deviceHoldings.all(), DEVICE_LIMIT) ? null : "the device limit was not reached";
      case "NO_SEATS_AVAILABLE":
        return othersHold(seats.all(), SEATS) ? null : "a seat was free";
      case "LEASE_EXPIRED":
        if (seat.surely(span)) return "the seat was held";
        return othersHold(seats.all(), SEATS) ? null : "a seat was free";
      case "LEASE_NOT_FOUND":
        return seat.surely(span) ? "the seat was held" : null;
      default:
        return "no such result was possible";
    }
  }
  const forbidden = history.flatMap((request) => {
    const why = findObjection(request);
    return why ? [{ why, ...request }] : [];
  });
  expect(forbidden, `HISTORY_SEED=${seed}`).toEqual([]);
  expect(history.length).toBeGreaterThanOrEqual(OPERATIONS);
  // The most important results must have occurred, or the test proves little.
  const needed = "VALID LICENCE_SUSPENDED NOT_ACTIVATED MACHINE_LIMIT_EXCEEDED NO_SEATS_AVAILABLE LEASE_NOT_FOUND";
  expect([...new Set(history.map(({ code }) => code))]).toEqual(expect.arrayContaining(needed.split(" ")));

  const em = app.services.orm.em.fork();
  const end = { from: performance.now(), to: performance.now() };
  const devices = await em.find(Device, { licence: licence.id });
  const active = devices.filter(({ freedAt }) => !freedAt);
  expect(active.length).toBeLessThanOrEqual(DEVICE_LIMIT);
  for (const [id, holding] of deviceHoldings.all()) {
    const isActive = active.some((device) => device.id === id);
    expect([id, isActive], `HISTORY_SEED=${seed}`).toEqual([id, isActive ? holding.perhaps(end) : holding.surely(end)]);
  }
  const deactivated = devices.filter(({ freedAt }) => freedAt).map(({ id }) => id);
  const ledger = (await em.find(Deactivation, { user: user.id })).map(({ device }) => device.id);
  expect(ledger.toSorted()).toEqual(deactivated.toSorted());
  const held = await em.find(Lease, { licence: licence.id, endedAt: null, expiresAt: { $gt: app.clock.now() } });
  expect(held.length).toBeLessThanOrEqual(SEATS);
  expect(held.every(({ device }) => active.some(({ id }) => id === device.id))).toBe(true);
  expect((await em.findOneOrFail(Licence, licence.id)).usageCount).toBe(used.size);
}, 300_000);
