import { expect, test } from "vitest";
import { DeviceAuthorization } from "#api/licensing/device-authorizations/device-authorization.entity.ts";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { buildRequest, buildMachine } from "#tests/factories/addin.ts";
import {
  confirmAuthorization,
  denyAuthorization,
  type OpenAuthorization,
  openAuthorization,
} from "#tests/factories/device-authorization.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createDevice, createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import { createSignedIn, createUser, signInAs } from "#tests/factories/user.ts";
import { atOnce, ROUNDS, sortStatuses } from "#tests/support/crowds.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const em = () => app.services.orm.em.fork();

/** Builds the request by which the add-in polls. */
function buildPoll({ machine, deviceCode }: OpenAuthorization) {
  const { licenceCode: _, ...body } = buildRequest(app, "", { machine, device_code: deviceCode });
  return body;
}

test("creates one device with one token and deactivates one device for ten concurrent polls across two processes", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    const old = await createDevice(app, licence);
    const open = await openAuthorization(app);
    const input = { userCode: open.userCode, licenceId: licence.id, replaceDeviceId: old.id };
    expect((await confirmAuthorization(app, input, await signInAs(app, user))).errors).toBeUndefined();
    const body = buildPoll(open);
    const answers = await atOnce(10, () => call("POST", "/v1/licence/device-authorization/token", body));
    expect(answers.map(({ status, json }) => [status, json.data.resultCode])).toEqual(Array(10).fill([200, 1]));
    expect(new Set(answers.map(({ json }) => json.data.machineToken)).size).toBe(1);
    expect(await em().count(Device, { licence: licence.id, freedAt: null })).toBe(1);
    expect(await em().count(Deactivation, { user: user.id })).toBe(1);
  }
});

test("settles a concurrent confirmation and denial on one result, which both responses and the poll report", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { user, token } = await createSignedIn(app);
    const licence = await createLicence(app, user);
    const open = await openAuthorization(app);
    const choice = { userCode: open.userCode, licenceId: licence.id };
    const confirming = confirmAuthorization(app, choice, token);
    const [yes, no] = await Promise.all([confirming, denyAuthorization(app, open.userCode, token)]);
    expect([yes.errors, no.errors]).toEqual([undefined, undefined]);
    const state = yes.data.confirmDeviceAuthorization.state;
    expect(["CONFIRMED", "DENIED"]).toContain(state);
    expect(no.data.denyDeviceAuthorization.state).toBe(state);
    const body = buildPoll(open);
    const { status } = await call("POST", "/v1/licence/device-authorization/token", body);
    expect(status).toBe(state === "CONFIRMED" ? 200 : 400);
  }
});

test("gives a code to the first of two concurrent customers and reveals nothing to the other", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { userCode } = await openAuthorization(app);
    const attempts: [input: { userCode: string; licenceId: string }, token: string][] = [];
    for (const user of [await createUser(app), await createUser(app)])
      attempts.push([{ userCode, licenceId: (await createLicence(app, user)).id }, await signInAs(app, user)]);
    const answers = await Promise.all(attempts.map(([input, token]) => confirmAuthorization(app, input, token)));
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    const lost = answers.find(({ errors }) => errors);
    expect(lost?.errors?.[0]?.extensions.fields?.userCode?.[0]).toContain("This code is not valid or has expired");
  }
});

test("leaves no row of an account that is deleted while its owner confirms a code", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const user = await createUser(app);
    const [here, there] = [await signInAs(app, user), await signInAs(app, user)];
    const licence = await createLicence(app, user);
    const { userCode } = await openAuthorization(app);
    const choice = { userCode, licenceId: licence.id };
    await Promise.all([confirmAuthorization(app, choice, here), deleteAccount(app, there)]);
    expect(await em().count(DeviceAuthorization, { user: user.id })).toBe(0);
  }
});

const AT_ONCE = 20;

test("creates one licence and sends one email for 20 concurrent trial requests of an account", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const { user, token } = await createSignedIn(app);
    const answers = await atOnce(AT_ONCE, () => call("POST", "/v1/subscriptions/create-trial", undefined, token));
    expect(sortStatuses(answers)).toEqual([200, ...Array(AT_ONCE - 1).fill(409)]);
    expect(await em().count(Licence, { user: user.id })).toBe(1);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
  }
});

test("starts one trial for 10 accounts with aliases of one email, across two processes", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const signIn = async (email: string) => signInAs(app, await createUser(app, { email }));
    const tokens = await atOnce(10, (n) => signIn(`racer${round}+${n}@example.com`));
    const answers = await atOnce(10, (n) => call("POST", "/v1/subscriptions/create-trial", undefined, tokens[n]));
    expect(sortStatuses(answers)).toEqual([200, ...Array(9).fill(409)]);
  }
});

test("activates one trial on a device that ten accounts activate concurrently, across two processes", async () => {
  const users = await atOnce(10, () => createUser(app));
  for (let round = 0; round < ROUNDS.of10; round++) {
    const me = buildMachine();
    const licences = await Promise.all(users.map((user) => createTrialLicence(app, user)));
    const requests = licences.map(({ licenceCode }) => buildRequest(app, licenceCode, { machine: me }));
    const answers = await Promise.all(requests.map((body) => call("POST", "/v1/licence/activate", body)));
    const codes = answers.map(({ json }) => json.data.resultCode).toSorted((a, b) => a - b);
    expect(codes).toEqual([1, ...Array(9).fill(40)]);
  }
});
