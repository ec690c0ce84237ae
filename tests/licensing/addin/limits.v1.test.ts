import { expect, test } from "vitest";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { callAddin, callAddinFrom, buildMachine } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

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

test("stops guesses after 30 a minute from one address, without adding rows", async () => {
  const guess = () => callAddin(app, "validate", { licenceCode: generateLicenceCode() }, { machineToken: "guess" });
  for (let n = 0; n < 30; n++) expect((await guess()).json.data.resultCode).toBe(10);
  for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(429);
  expect(await app.services.orm.em.fork().count(LicenceEvent, { resultCode: 10, licenceId: null })).toBe(30);
});
