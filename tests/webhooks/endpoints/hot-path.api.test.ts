import { afterAll, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { callAddin } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createEndpoint } from "#tests/factories/webhook.ts";
import { createUser } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());

async function countActivationStatements(owner: User): Promise<string[]> {
  const licence = await createLicence(app, owner);
  return recordStatements(() => callAddin(app, "activate", licence));
}

test("activates a device without extra statements, or with at most four if an endpoint is subscribed", async () => {
  const owner = await createUser(app);
  // The first activation of a process runs extra statements.
  await countActivationStatements(owner);
  const plain = await countActivationStatements(owner);
  expect(plain.filter((text) => /webhook/.test(text) && !/webhook_endpoints e on e.owner_id/.test(text))).toEqual([]);
  // Endpoints of other users and for other events add no statements.
  await createEndpoint(app, receiver, await createUser(app));
  await createEndpoint(app, receiver, owner, { eventTypes: ["invoice.paid"] });
  expect(await countActivationStatements(owner)).toHaveLength(plain.length);
  await createEndpoint(app, receiver, owner, { eventTypes: ["licence.activated"] });
  const withSubscriber = await countActivationStatements(owner);
  expect(withSubscriber.length - plain.length).toBeLessThanOrEqual(4);
  expect(withSubscriber.length).toBeGreaterThan(plain.length);
});

test("writes no webhooks for licence checks and activations of known devices", async () => {
  const owner = await createUser(app);
  await createEndpoint(app, receiver, owner);
  const licence = await createLicence(app, owner);
  const device = await createDevice(app, licence);
  const statements = await recordStatements(async () => {
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.valid).toBe(true);
    expect((await callAddinFrom(app, device, "activate", licence)).json.data.valid).toBe(true);
  });
  expect(statements.filter((text) => /insert into webhook|update webhook/.test(text))).toEqual([]);
});
