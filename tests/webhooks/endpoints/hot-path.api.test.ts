import { afterAll, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { ask } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { askFrom } from "#tests/factories/addin.ts";
import { createEndpoint } from "#tests/factories/webhook.ts";
import { createUser } from "#tests/factories/user.ts";
import { statementsOf } from "#tests/support/count-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());

async function statementsOfActivating(owner: User): Promise<string[]> {
  const licence = await createLicence(app, owner);
  return statementsOf(() => ask(app, "activate", licence));
}

test("activating costs who has no endpoint no statement, and who has one three and those of the job", async () => {
  const owner = await createUser(app);
  // What the process asks beside its first activation is nobody's.
  await statementsOfActivating(owner);
  const plain = await statementsOfActivating(owner);
  expect(plain.filter((text) => /webhook/.test(text) && !/webhook_endpoints e on e.owner_id/.test(text))).toEqual([]);
  // What others listen to changes nothing for this one.
  await createEndpoint(app, receiver, await createUser(app));
  await createEndpoint(app, receiver, owner, { eventTypes: ["invoice.paid"] });
  expect(await statementsOfActivating(owner)).toHaveLength(plain.length);
  await createEndpoint(app, receiver, owner, { eventTypes: ["licence.activated"] });
  const heard = await statementsOfActivating(owner);
  expect(heard.length - plain.length).toBeLessThanOrEqual(4);
  expect(heard.length).toBeGreaterThan(plain.length);
});

test("the daily question and the activation of a known device write nothing of webhooks", async () => {
  const owner = await createUser(app);
  await createEndpoint(app, receiver, owner);
  const licence = await createLicence(app, owner);
  const device = await createDevice(app, licence);
  const statements = await statementsOf(async () => {
    expect((await askFrom(app, device, "validate", licence)).json.data.valid).toBe(true);
    expect((await askFrom(app, device, "activate", licence)).json.data.valid).toBe(true);
  });
  expect(statements.filter((text) => /insert into webhook|update webhook/.test(text))).toEqual([]);
});
