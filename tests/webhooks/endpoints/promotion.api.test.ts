import { afterAll, beforeEach, expect, test } from "vitest";
import { MemberType } from "#schema/catalogue.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { addEndpoint, updateEndpoint } from "#api/webhooks/endpoints/change-endpoint.ts";
import { createContext } from "#api/platform/context.ts";
import { createEndpoint, recordEvents, openWebhookCalls } from "#tests/factories/webhook.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterAll(() => receiver.close());
const webhooks = openWebhookCalls(app);

let owner: User;
let stranger: User;

beforeEach(async () => {
  owner = await createUser(app, { mobile: "+61 400 000 000" });
  stranger = await createUser(app);
});

async function makeAdmin(user: User): Promise<void> {
  const { firstName, lastName, email, mobile, city, state, postCode, country, streetNumber, streetName } = user;
  const input = { firstName, lastName, email, mobile, city, state, postCode, country, streetNumber, streetName };
  const answer = await app.rest("PUT", "/v1/users/admin/update-user", {
    token: await signInAs(app, await createAdmin(app)),
    body: { ...input, userId: user.id, id: user.id, memberType: MemberType.Admin, annualDeactivationLimit: 3 },
  });
  expect(answer.status, answer.text).toBe(200);
}

test("turns off the endpoints of a user who becomes an admin", async () => {
  const { id, path, posts, log } = await createEndpoint(app, receiver, owner);
  const off = await createEndpoint(app, receiver, owner);
  const input = { url: receiver.url + path, description: "", eventTypes: ["subscription.changed"], enabled: true };
  await webhooks.update({ id: off.id, input: { ...input, enabled: false } }, off.token);
  await recordEvents(app, owner.id);
  await makeAdmin(owner);
  await recordEvents(app, stranger.id);
  await app.services.jobs.runSweeps();
  expect(posts()).toEqual([]);
  const token = await signInAs(app, owner);
  expect((await webhooks.find({ id }, token)).data.webhookEndpoint).toMatchObject({
    enabled: false,
    disabledAt: expect.any(String),
    disabledReason:
      "Turned off when you became an admin, because it would receive events for every customer. Turn it on if that is what you want.",
  });
  expect((await log()).rows).toMatchObject([{ status: "failed", nextAttemptAt: null, attempts: [] }]);
  // An endpoint that its owner had turned off shows no reason.
  expect((await webhooks.find({ id: off.id }, token)).data.webhookEndpoint).toMatchObject({ disabledReason: null });

  await webhooks.update({ id, input }, token);
  await recordEvents(app, stranger.id);
  await app.services.jobs.runSweeps();
  expect(posts()).toMatchObject([{ json: { data: { userId: stranger.id } } }]);
});

test("rejects adding or turning on an endpoint as a customer after the user became an admin", async () => {
  const { id, path } = await createEndpoint(app, receiver, owner);
  await makeAdmin(owner);
  const asCustomer = createContext(app.services, { actor: { userId: owner.id, sessionId: null, role: "regular" } });
  const values = { url: receiver.url + path, description: "", eventTypes: ["invoice.paid" as const], enabled: true };
  const conflict = expect.objectContaining({ code: "CONFLICT" });
  await expect(addEndpoint(asCustomer, values)).rejects.toEqual(conflict);
  await expect(updateEndpoint(asCustomer, id, values)).rejects.toEqual(conflict);
});
