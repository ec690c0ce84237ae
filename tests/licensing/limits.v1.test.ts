import { expect, test } from "vitest";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { callAddin, callAddinFrom, buildMachine } from "#tests/factories/addin.ts";
import { viewAuthorization, openAuthorization, requestAuthorization } from "#tests/factories/device-authorization.ts";
import { createDevice, createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("limits device authorizations to five a minute per address, and wrong user codes to ten in ten minutes per account", async () => {
  const { userCode } = await openAuthorization(app);
  for (let n = 0; n < 4; n++) expect((await requestAuthorization(app)).status).toBe(200);
  const refused = await requestAuthorization(app);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  const token = await signInAs(app, await createUser(app));
  const lookUpResult = async (typed: string, as = token) =>
    (await viewAuthorization(app, typed, as)).errors?.[0]?.extensions.code ?? "found";
  // Correct codes don't count as guesses.
  for (let n = 0; n < 12; n++) expect(await lookUpResult(userCode)).toBe("found");
  const guesses = await Promise.all(Array.from({ length: 15 }, () => lookUpResult("BBBB-BBBB")));
  expect(guesses.filter((code) => code === "BAD_USER_INPUT")).toHaveLength(10);
  expect(guesses.filter((code) => code === "RATE_LIMITED")).toHaveLength(5);
  // After too many guesses, even the correct code is refused.
  expect(await lookUpResult(userCode)).toBe("RATE_LIMITED");
  expect(await lookUpResult(userCode, await signInAs(app, await createUser(app)))).toBe("found");
});

test("sends at most three move codes an hour for a licence, even for concurrent requests from different machines", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => callAddin(app, "move/code", licence, { machine: buildMachine() })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(7);
  expect(await listEmailsTo(app, owner.email)).toHaveLength(3);
});

test("does not count requests for a move code that send no email", async () => {
  const licence = await createExpiredLicence(app, await createUser(app));
  for (let n = 0; n < 5; n++) expect((await callAddin(app, "move/code", licence)).json.data.resultCode).toBe(14);
});

test("limits activations of a licence to 60 in 30 seconds, but not its validations", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user, { numberOfMachines: 2 });
  const device = await createDevice(app, licence);
  const me = buildMachine();
  for (let n = 0; n < 60; n++) expect((await callAddin(app, "activate", licence, { machine: me })).status).toBe(200);
  const refused = await callAddin(app, "activate", licence, { machine: me });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.valid).toBe(true);
  expect((await callAddin(app, "activate", await createLicence(app, user))).status).toBe(200);
});

test("stops guesses after 30 a minute from one address without adding rows, but still answers valid codes", async () => {
  const guess = () => callAddin(app, "validate", { licenceCode: generateLicenceCode() }, { machineToken: "guess" });
  for (let n = 0; n < 30; n++) expect((await guess()).json.data.resultCode).toBe(10);
  for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(429);
  expect(await app.services.orm.em.fork().count(LicenceEvent, { resultCode: 10, licenceId: null })).toBe(30);
  const statements = await recordStatements(async () => expect((await guess()).status).toBe(429));
  expect(statements.length).toBeLessThanOrEqual(1);
  const licence = await createLicence(app, await createUser(app));
  expect((await callAddinFrom(app, await createDevice(app, licence), "validate", licence)).json.data.valid).toBe(true);
});
