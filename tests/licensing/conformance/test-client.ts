import { afterEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { type SandboxCode, sandboxCodes } from "#schema/sandbox-codes.ts";
import { buildMachine } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createSignedIn, signInAs } from "#tests/factories/user.ts";
import type { Machine } from "#clients/reference/requests.ts";
import { type ProxiedResponse, forwardUnchanged, startHttpProxy } from "#tests/support/http-proxy.ts";
import { startTestApp, type TestApp } from "#tests/support/test-app.ts";
import { buildConditions, type ConnectClient } from "./client-under-test.ts";
import { type NetworkName, networks } from "./scenario-networks.ts";
import { type ClockState, clocks, createWorldOf, devices, type LicenceState, licences } from "./scenario-world.ts";
import { acts, type Row, table } from "./table.ts";

/** What the tests of one client need for further tests. */
export interface Bench {
  readonly app: TestApp;
  readonly url: string;
  readonly setNetwork: (name: NetworkName) => void;
}

const concurrent = { licenceType: 3, licenceActivationType: 2, numberOfUsers: 5, numberOfMachines: 60 };

/**
 * Tests that a client follows docs/addin.md: the table of scenarios, every sandbox code, a server that is away for 15 days, a
 * captive portal, an older licence, usage and licence files.
 */
export async function testClient(connect: ConnectClient): Promise<Bench> {
  const app = await startTestApp();
  const proxy = await startHttpProxy(app.url);
  const { user: owner, token: accessToken } = await createSignedIn(app);
  afterEach(() => {
    app.clock.setOffset(0);
    proxy.set(forwardUnchanged);
  });
  const means = { app, accessToken, earlier: () => ({ status: 500, body: "" }) };
  const setNetwork = (name: NetworkName) => proxy.set(networks[name](means));
  const createWorld = (changes: Parameters<typeof createLicence>[2] = {}) =>
    createWorldOf(connect, app, proxy.url, changes);

  /** Prepares the world of a row and performs its action. */
  async function play([licenceName, deviceName, networkName, clockName, does]: Row) {
    const licence: LicenceState = licences[licenceName];
    const clock: ClockState = clocks[clockName];
    const world = await createWorld(licence.made);
    let earlier: ProxiedResponse = { status: 500, body: "" };
    proxy.set(async (request, forward) => {
      const answer = await forward();
      if (request.method === "POST") earlier = answer;
      return answer;
    });
    world.clockErrorMs = clock.before ?? 0;
    await devices[deviceName](world);
    if (clock.ranOfflineAfter) {
      app.clock.setOffset(clock.ranOfflineAfter);
      proxy.set(() => "refuse");
      expect((await world.client.start()).canRun).toBe(true);
    }
    app.clock.setOffset(clock.later ?? 0);
    world.clockErrorMs = clock.error ?? 0;
    await licence.turn?.(world);
    proxy.set(networks[networkName]({ app, accessToken, earlier: () => earlier }));
    if (networkName === "hanging") world.timeLimitMs = 250;
    return { world, decision: await acts[does](world) };
  }

  test.each(table)("%s licence, device %s, network %s, clock %s: the add-in %s", async (...row) => {
    const { decision, world } = await play(row);
    const { lasts, ...expected } = row[5];
    const { until, ...decided } = decision;
    expect(decided).toEqual({ features: [], warnings: [], ...expected });
    if (lasts === undefined) return expect(until).toBeUndefined();
    const endsIn = Date.parse(until ?? "") - world.app.clock.now().getTime();
    expect(Math.abs(endsIn - lasts), `ends in ${endsIn} ms`).toBeLessThan(MINUTE);
  });

  describe("sandbox", () => {
    const connectOn = (sandbox: boolean) => connect(buildConditions(app, app.url, { sandbox }));
    /** Returns the decision of a test build: the first refusal, or VALID. */
    async function decide({ licenceCode, result }: SandboxCode) {
      const client = connectOn(true);
      const first = await client.activate(licenceCode);
      const started = await client.start(result === "FEATURE_NOT_LICENSED" ? undefined : []);
      if (!["answered", "seat-needed", "refused"].includes(started.reason)) return first;
      if (started.reason !== "seat-needed") return started;
      const seated = await client.lease();
      return seated.canRun ? client.heartbeat() : seated;
    }
    const harmless = ["DEACTIVATION_LIMIT_EXCEEDED", "MACHINE_OFFLINE_LOCKED", "FEATURE_NOT_LICENSED"];

    test.each(sandboxCodes)("follows $licenceCode ($result, $licence, status $status)", async (code) => {
      const decision = await decide(code);
      if (code.status) return expect(decision).toMatchObject({ canRun: false, unanswered: "busy" });
      if (code.result === "VALID" || harmless.includes(code.result))
        return expect(decision).toMatchObject({ canRun: true, resultCode: 1, warnings: code.warnings });
      const resultCode = Number(code.licenceCode.slice(6, 11));
      expect(decision).toMatchObject({ canRun: false, reason: "refused", resultCode });
    });

    test("is refused by a released add-in", async () => {
      for (const { licenceCode, status } of sandboxCodes) {
        if (status) continue;
        const client = connectOn(false);
        expect(await client.activate(licenceCode), licenceCode).toMatchObject({ canRun: false, unanswered: "forged" });
        expect(await client.start(), licenceCode).toMatchObject({ canRun: false });
      }
    });
  });

  test("runs for 14 days while the server is away for 15, and again when it is back", async () => {
    const world = await createWorld();
    await world.client.activate(world.licenceCode);
    for (let day = 1; day <= 15; day++) {
      app.clock.setOffset(day * DAY + HOUR);
      setNetwork(day % 3 === 0 ? "503" : day % 3 === 1 ? "refused" : "500");
      const decision = await world.client.start();
      const wanted = day < 14 ? { canRun: true, reason: "grace" } : { canRun: false, reason: "grace-ended" };
      expect(decision, `day ${day}`).toMatchObject(wanted);
    }
    setNetwork("online");
    expect(await world.client.start()).toMatchObject({ canRun: true, reason: "answered" });
  });

  test("keeps its licence behind a captive portal, and activates nothing there", async () => {
    const world = await createWorld();
    await world.client.activate(world.licenceCode);
    const fresh = await createWorld();
    for (const name of ["portal page", "portal 401", "portal 400", "redirect", "proxy 407"] as const) {
      setNetwork(name);
      expect(await world.client.start(), name).toMatchObject({ canRun: true, reason: "grace" });
      expect(await fresh.client.activate(fresh.licenceCode), name).toMatchObject({ reason: "not-activated" });
    }
    setNetwork("online");
    expect(await fresh.client.start()).toMatchObject({ canRun: false, reason: "not-activated" });
  });

  test("never lets an older licence permit running on a new code", async () => {
    const world = await createWorld();
    await world.client.activate(world.licenceCode);
    const other = await createLicence(app, world.owner, { numberOfMachines: 0 });
    expect(await world.client.activate(other.licenceCode)).toMatchObject({ canRun: false, resultCode: 22 });
    for (const name of ["refused", "503", "portal page", "JSON 401", "stranger's key", "replayed"] as const) {
      setNetwork(name);
      expect(await world.client.activate(other.licenceCode), name).toMatchObject({ canRun: false });
      expect(await world.client.start(), name).toMatchObject({ canRun: true, reason: "grace" });
    }
  });

  test("waits as Retry-After requires, but only once and only briefly", async () => {
    const world = await createWorld();
    await world.client.activate(world.licenceCode);
    for (const name of ["503 once", "429", "503 for an hour", "503 until a date", "500"] as const) {
      setNetwork(name);
      await world.client.start();
    }
    expect(world.waits).toEqual([5_000, 1_000]);
  });

  test("reports each conversion once, also those done without a network", async () => {
    const world = await createWorld({ productLevel: 3, usageLimit: 20 });
    await world.client.activate(world.licenceCode);
    setNetwork("refused");
    expect(await world.client.reportUsage(3)).toEqual({ reported: 0, waiting: 3 });
    // The service records the report, but its answer is lost.
    setNetwork("cut off");
    expect(await world.client.reportUsage(0)).toEqual({ reported: 0, waiting: 3 });
    setNetwork("online");
    expect(await world.client.reportUsage(1)).toEqual({ reported: 4, waiting: 0, remaining: 16 });
  });

  test("reports usage recorded under another spelling of the code", async () => {
    const world = await createWorld({ productLevel: 3, usageLimit: 20 });
    // As an Asian keyboard types it: in lower case and full width.
    const toFullWidth = (one: string) => String.fromCharCode(one.charCodeAt(0) + 0xfee0);
    await world.client.activate(world.licenceCode.toLowerCase().replace(/[!-~]/g, toFullWidth));
    setNetwork("refused");
    expect(await world.client.reportUsage(1)).toEqual({ reported: 0, waiting: 1 });
    setNetwork("online");
    await world.client.activate(world.licenceCode);
    expect(await world.client.reportUsage(0)).toEqual({ reported: 1, waiting: 0, remaining: 19 });
  });

  test("runs from a licence file without a network, on its own machine only", async () => {
    const world = await createWorld();
    // A refused activation brings the keys, with which a released add-in is shipped.
    await world.client.activate((await createLicence(app, world.owner, { numberOfMachines: 0 })).licenceCode);
    const token = await signInAs(app, world.owner);
    const requestFile = await world.client.createRequestFile(world.licenceCode);
    const { json } = await app.rest("POST", "/v1/licence/offline", { body: { requestFile }, token });
    setNetwork("refused");
    const tampered = String(json).replace(/\.(.)/, (_, letter) => `.${letter === "A" ? "B" : "A"}`);
    expect(await world.client.installLicenceFile(tampered)).toMatchObject({ canRun: false, reason: "kept-forged" });
    expect(await world.client.installLicenceFile(String(json))).toMatchObject({ canRun: true, reason: "licence-file" });
    app.clock.setOffset(13 * DAY);
    expect(await world.client.start()).toMatchObject({ canRun: true, reason: "licence-file" });
    world.machine = buildMachine() as Machine;
    expect(await world.client.start()).toMatchObject({ canRun: false, reason: "kept-for-another-machine" });
    app.clock.setOffset(15 * DAY);
    expect((await world.client.start()).canRun).toBe(false);
  });

  test("keeps its licence until the licence file for another code is installed", async () => {
    const world = await createWorld();
    await world.client.activate(world.licenceCode);
    const requestFile = await world.client.createRequestFile((await createLicence(app, world.owner)).licenceCode);
    expect(await world.client.start()).toMatchObject({ canRun: true, reason: "answered" });
    const token = await signInAs(app, world.owner);
    const { json } = await app.rest("POST", "/v1/licence/offline", { body: { requestFile }, token });
    setNetwork("refused");
    expect(await world.client.installLicenceFile(String(json))).toMatchObject({ canRun: true, reason: "licence-file" });
  });

  test("shares 5 seats among 50 clients, and never more", async () => {
    const licence = await createLicence(app, owner, concurrent);
    const more = { timeLimitMs: 60_000, ownProcess: true };
    const clients = Array.from({ length: 50 }, () => connect(buildConditions(app, app.url, more)));
    for (let first = 0; first < clients.length; first += 5)
      await Promise.all(clients.slice(first, first + 5).map((client) => client.activate(licence.licenceCode)));
    const decisions = await Promise.all(clients.map((client) => client.lease()));
    expect(decisions.filter(({ canRun }) => canRun)).toHaveLength(5);
    expect(decisions.filter(({ resultCode }) => resultCode === 30)).toHaveLength(45);
    const seated = clients[decisions.findIndex(({ canRun }) => canRun)];
    await seated?.release();
    const waiting = clients[decisions.findIndex(({ canRun }) => !canRun)];
    expect(await waiting?.lease()).toMatchObject({ canRun: true });
  });

  return { app, url: proxy.url, setNetwork };
}
