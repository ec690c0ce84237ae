import { expect, test } from "vitest";
import { sandboxCodes } from "#schema/sandbox-codes.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { callAddin, buildRequest } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { createApp } from "#api/app.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const limited = await createApp(await openSecondProcess(app, { rateLimits: true }));

const answering = sandboxCodes.filter(({ status }) => !status);

test("stores no sandbox data in the database", async () => {
  const em = app.services.orm.em.fork();
  expect(await em.count(LicenceEvent, {})).toBe(0);
  expect(await em.count(Device, {})).toBe(0);
});

test("prevents any licence row from having a sandbox code", async () => {
  const owner = await createUser(app);
  await expect(createLicence(app, owner, { licenceCode: answering[0]?.licenceCode as string })).rejects.toThrow(
    /licences_no_sandbox_code/,
  );
});

test("limits requests to 600 a minute from one address", async () => {
  const payload = { ...buildRequest(app, answering[0]?.licenceCode ?? ""), nonce: "the-same-nonce" };
  const send = () => limited.inject({ method: "POST", url: "/v1/licence/activate", payload });
  expect((await send()).statusCode).toBe(200);
  await app.services.pool.query("update rate_limits set points = 599 where key like '%sandbox%'");
  expect((await send()).statusCode).toBe(200);
  const refused = await send();
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await callAddin(app, "activate", { licenceCode: payload.licenceCode })).status).toBe(200);
});
