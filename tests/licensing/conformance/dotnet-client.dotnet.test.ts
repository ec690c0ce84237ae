import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { buildDotnet } from "../../../clients/dotnet/build.mjs";
import { buildConditions, type ClientConditions } from "./client-under-test.ts";
import { DrivenClient, Driver } from "./driven-client.ts";
import { testClient } from "./test-client.ts";

// Another client passes the same tests with a driver of its own: CLIENT_DRIVER="python3 driver.py".
const folder = join(import.meta.dirname, "../../../.cache/dotnet");
const command = process.env.CLIENT_DRIVER?.split(" ") ?? ["mono", buildDotnet(folder)];
const drivers: Driver[] = [];
const startDriver = () => {
  const driver = new Driver(command);
  drivers.push(driver);
  return driver;
};
const shared = startDriver();
afterAll(() => drivers.forEach((driver) => driver.kill()));

const { app, url, setNetwork } = await testClient(
  (conditions) => new DrivenClient(conditions.ownProcess ? startDriver() : shared, conditions),
);
const owner = await createUser(app);
const seats = { licenceType: 3, licenceActivationType: 2, numberOfUsers: 2, numberOfMachines: 5 };

function start(driver = shared, more: Partial<ClientConditions> & { folder?: string } = {}) {
  return new DrivenClient(driver, buildConditions(app, url, more), more.folder);
}

/** Starts another program of the same user on the same machine. */
const startAnother = (client: DrivenClient, driver = startDriver()) =>
  new DrivenClient(driver, client.conditions, client.folder);

async function countSeats(licenceId: string): Promise<number> {
  const sql = "select count(*) from leases where licence_id = $1 and ended_at is null and expires_at > $2";
  return Number((await app.services.pool.query(sql, [licenceId, app.clock.now()])).rows[0].count);
}

test("two programs of one user share the activation, lose no conversion and use one seat until the last ends", async () => {
  const licence = await createLicence(app, owner, seats);
  const first = start(startDriver());
  await first.activate(licence.licenceCode);
  const second = startAnother(first);
  expect(await Promise.all([first.lease(), second.lease()])).toMatchObject([{ canRun: true }, { canRun: true }]);
  expect(await countSeats(licence.id)).toBe(1);
  await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? first : second).do("recordUsage")));
  expect(await first.do("reportUsage")).toMatchObject({ reported: 40, waiting: 0 });
  await second.release();
  expect(await countSeats(licence.id)).toBe(1);
  expect(await first.heartbeat()).toMatchObject({ canRun: true });
  await first.release();
  expect(await countSeats(licence.id)).toBe(0);
});

test("two programs of one user take the seat of a program that crashed", async () => {
  const licence = await createLicence(app, owner, seats);
  const driver = startDriver();
  const crashed = start(driver);
  await crashed.activate(licence.licenceCode);
  await crashed.lease();
  driver.kill();
  const next = startAnother(crashed);
  expect(await next.lease()).toMatchObject({ canRun: true });
  expect(await countSeats(licence.id)).toBe(1);
  await next.release();
  expect(await countSeats(licence.id)).toBe(0);
});

test("reports the conversions of a program that crashed, each once", async () => {
  const licence = await createLicence(app, owner, { productLevel: 3, usageLimit: 20 });
  const driver = startDriver();
  const crashed = start(driver);
  await crashed.activate(licence.licenceCode);
  for (const _ of "123") await crashed.do("recordUsage");
  driver.kill();
  const next = startAnother(crashed);
  expect(await next.reportUsage(1)).toEqual({ reported: 4, waiting: 0, remaining: 16 });
  expect(await next.reportUsage(0)).toEqual({ reported: 0, waiting: 0 });
});

test("a session takes a seat, survives a failing handler, and releases the seat at the end", async () => {
  const licence = await createLicence(app, owner, seats);
  const client = start();
  await client.activate(licence.licenceCode);
  expect(await client.do("session")).toMatchObject({ canRun: true, raised: 1 });
  expect(await countSeats(licence.id)).toBe(0);
});

test("a session that was refused takes a seat when it starts again after an activation", async () => {
  const [old, { licenceCode }] = [await createLicence(app, owner), await createLicence(app, owner, seats)];
  const client = start();
  await client.activate(old.licenceCode);
  await app.services.pool.query("update devices set freed_at = $1 where licence_id = $2", [app.clock.now(), old.id]);
  expect(await client.do("session", { licenceCode })).toMatchObject({ canRun: true, raised: 2 });
});

test("a session keeps a borrowed seat at the end, which works without a network", async () => {
  const licence = await createLicence(app, owner, { ...seats, limitFloatingLeasePeriodToHours: 8 });
  const client = start();
  await client.activate(licence.licenceCode);
  await client.lease({ borrowHours: 6 });
  await client.do("session");
  setNetwork("refused");
  app.clock.setOffset(5 * HOUR);
  expect(await startAnother(client).start()).toMatchObject({ canRun: true, reason: "grace" });
  app.clock.setOffset(6 * HOUR + MINUTE);
  expect((await client.start()).canRun).toBe(false);
});

test("cancels a request at once and decides from the last answer", async () => {
  const client = start();
  await client.activate((await createLicence(app, owner)).licenceCode);
  setNetwork("hanging");
  const started = performance.now();
  const decision = await client.do("start", { cancelAfterMs: 200 });
  expect(decision).toMatchObject({ canRun: true, reason: "grace", unanswered: "cancelled" });
  expect(performance.now() - started).toBeLessThan(8_000);
});

test("still decides, and soon, when its state can't be read or written", async () => {
  const started = performance.now();
  const licence = await createLicence(app, owner);
  const unwritable = start(shared, { folder: "/dev/null/state" });
  expect(await unwritable.activate(licence.licenceCode)).toMatchObject({ canRun: true, reason: "answered" });
  setNetwork("refused");
  expect(await unwritable.start()).toMatchObject({ canRun: true, reason: "grace" });
  const damaged = start();
  writeFileSync(join(damaged.folder, "state.bin"), "damaged");
  expect(await damaged.start()).toMatchObject({ canRun: false, reason: "not-activated" });
  expect(performance.now() - started).toBeLessThan(8_000);
});

test("says that a licence file is wrong, not that the stored licence is", async () => {
  const licence = await createLicence(app, owner, { numberOfMachines: 2 });
  const [client, other] = [start(), start()];
  await client.activate(licence.licenceCode);
  await client.createRequestFile(licence.licenceCode);
  const requestFile = await other.createRequestFile(licence.licenceCode);
  const { json: file } = await app.rest("POST", "/v1/licence/offline", {
    body: { requestFile },
    token: await signInAs(app, owner),
  });
  const install = async (text: string) =>
    (await client.do<{ message: string }>("installLicenceFile", { file: text })).message;
  expect(await install("a letter")).toMatch(/^This is not a licence file, or it is damaged/);
  expect(await install(String(file))).toMatch(/^This licence file is not for this device's request file/);
  expect(await client.start()).toMatchObject({ canRun: true });
});

test("trusts a shipped key over any other under its ID", async () => {
  const licence = await createLicence(app, owner);
  const { json } = await app.rest("GET", "/v1/licence/signing-keys");
  const { keys } = json as { keys: { x: string; y: string }[] };
  const swapped = JSON.stringify({ keys: keys.map((key) => ({ ...key, x: key.y, y: key.x })) });
  for (const [shippedKeys, expected] of [
    [JSON.stringify(json), { canRun: true }],
    [swapped, { canRun: false, unanswered: "forged" }],
  ] as const) {
    const client = new DrivenClient(shared, start().conditions, undefined, undefined, { shippedKeys });
    expect(await client.activate(licence.licenceCode)).toMatchObject(expected);
  }
});

test("an update is found, downloaded and compared with its signed checksum", async () => {
  await publishTestBuild(app, "7.3.0", { content: "the installer" });
  const client = start();
  expect(await client.do("checkUpdate")).toEqual({ version: "7.3.0" });
  const file = join(client.folder, "setup.exe");
  const address = url + new URL((await app.rest("GET", "/v1/software/update?version=0")).json.url).pathname;
  expect(await client.do("download", { address, file })).toBe("Done");
  expect(readFileSync(file, "utf8")).toBe("the installer");
  const other = join(client.folder, "other.exe");
  expect(await client.do("download", { address: `${url}/v1/software/release-keys`, file: other })).toBe(
    "WrongChecksum",
  );
  expect(await client.do("download", { address: `${url}/software/none.exe`, file: other })).toBe("Withdrawn");
  expect(existsSync(other)).toBe(false);
});

test("an update is refused if its signature has expired, its key isn't shipped or it disappears", async () => {
  await publishTestBuild(app, "7.4.0", { stage: 3 });
  const client = start();
  expect(await client.do("checkUpdate", { stage: 3 })).toEqual({ version: "7.4.0" });
  const { json } = await app.rest("GET", "/v1/licence/signing-keys");
  const { conditions } = client;
  const strict = new DrivenClient(shared, conditions, undefined, undefined, {
    shippedReleaseKeys: JSON.stringify(json),
  });
  expect(await strict.do("checkUpdate", { stage: 3 })).toEqual({ version: null, refused: "unsigned" });
  const late = start(shared, { now: () => addMilliseconds(app.clock.now(), 400 * DAY) });
  expect(await late.do("checkUpdate", { stage: 3 })).toEqual({ version: null, refused: "expired" });
  await app.services.pool.query("update software_builds set withdrawn_at = now() where stage = 3");
  expect(await client.do("checkUpdate", { stage: 3 })).toEqual({ version: null, refused: "missing" });
});

test("moves a licence from another device after the emailed code", async () => {
  const licence = await createLicence(app, owner);
  const old = await createDevice(app, licence);
  const client = start();
  expect(await client.activate(licence.licenceCode)).toMatchObject({ canRun: false, resultCode: 22 });
  const { licenceCode } = licence;
  expect(await client.do("moveCode", { licenceCode })).toMatchObject({ isDone: true });
  const [mail] = await listEmailsTo(app, owner.email);
  const [emailCode] = /\b\d{3} \d{3}\b/.exec(mail?.text ?? "") ?? [];
  expect(await client.do("movableDevices", { licenceCode, emailCode })).toMatchObject({
    isDone: true,
    devices: [old.id],
  });
  expect(await client.do("activate", { licenceCode, replaceMachineId: old.id })).toMatchObject({ canRun: true });
  expect(await client.do("deactivate", { reason: "New device" })).toMatchObject({ isDone: true });
  expect(await client.start()).toMatchObject({ canRun: false, reason: "not-activated" });
});

test("runs the console sample online, then offline", async () => {
  const sample = async (...values: string[]) => {
    const env = { ...process.env, LICENCE_FOLDER: join(start().folder, "..", `sample-${process.pid}`) };
    return (await promisify(execFile)("mono", [join(folder, "ConsoleSample.exe"), ...values], { env })).stdout;
  };
  const expected = /^You can work until [\s\S]*0 conversions wait/;
  expect(await sample(app.url, "SANDB-00001-00002-00000-00000-00003")).toMatch(expected);
  expect(await sample(app.url, "SANDB-00001-00000-00000-00000-0000R")).toMatch(/^You can work until/);
  expect(await sample("http://127.0.0.1:9")).toMatch(/^You can work until [\s\S]*1 conversions wait/);
});

const poll = (deviceCode: string) =>
  start(shared, { sandbox: true }).do<Record<string, unknown>>("pollSignIn", { deviceCode });

test("signing in follows every answer to a poll", async () => {
  expect(await poll("sandbox-authorization_pending")).toMatchObject({ state: "waiting", intervalSeconds: 5 });
  expect(await poll("sandbox-slow_down")).toMatchObject({ state: "waiting", intervalSeconds: 10 });
  expect(await poll("sandbox-access_denied")).toMatchObject({ state: "denied" });
  expect(await poll("sandbox-expired_token")).toMatchObject({ state: "expired" });
  expect(await poll("sandbox-invalid_grant")).toMatchObject({ state: "unknown" });
  const activated = await poll("SANDB-00001-00000-00000-00000-0000R");
  expect(activated).toMatchObject({ state: "answered", decision: { canRun: true } });
  setNetwork("portal page");
  expect(await poll("sandbox-slow_down")).toMatchObject({ state: "waiting", unanswered: "garbage" });
});

test("signing in shows a code of the portal", async () => {
  expect(await start().do("beginSignIn")).toMatchObject({
    state: "waiting",
    userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
  });
});
