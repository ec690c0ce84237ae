import { expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { createEndpoint, openWebhookCalls } from "#tests/factories/webhook.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp({ rateLimits: true });
const receiver = await startReceiver();
const webhooks = openWebhookCalls(app);

const wanted = { url: "https://hooks.example.com/in?key=mumblepeg", description: "", eventTypes: ["INVOICE_PAID"] };
const getEmails = async ({ email }: User) =>
  (await listEmailsTo(app, email)).filter(({ subject }) => subject.includes("webhook"));
const getSubjects = async (owner: User) => (await getEmails(owner)).map(({ subject }) => subject);

test("emails the owner of a new endpoint its host and events, without secrets in the URL", async () => {
  const owner = await createUser(app);
  const { data } = await webhooks.add({ input: { ...wanted, description: "Our CRM" } }, await signInAs(app, owner));
  const [email, ...others] = await getEmails(owner);
  expect(others).toEqual([]);
  expect(email?.subject).toMatch(/^A webhook endpoint was added to your .+ account$/);
  for (const words of [
    "hooks.example.com",
    "Our CRM",
    "invoice.paid",
    "receives the events listed below for your account",
    "Browser",
    "/webhooks/",
  ])
    expect(email?.text).toContain(words);
  expect(email?.text).not.toContain("Personal access token:");
  expect(`${email?.html}${email?.text}`).not.toMatch(/mumblepeg|example\.com\/in/);
  expect(`${email?.html}${email?.text}`).not.toContain(data.addWebhookEndpoint.secret);
});

test("states that an admin's endpoint receives events for every customer", async () => {
  const admin = await createAdmin(app);
  await webhooks.add({ input: wanted }, await signInAs(app, admin));
  expect((await getEmails(admin))[0]?.text).toContain("receives the events listed below for every customer");
});

test("emails about a new URL or secret, but not about other changes or errors", async () => {
  const owner = await createUser(app);
  const { id, token } = await createEndpoint(app, receiver, owner);
  await app.services.pool.query('delete from mails where lower("to") = lower($1)', [owner.email]);
  const move = (url: string) => webhooks.update({ id, input: { ...wanted, url, enabled: true } }, token);
  const { data } = await webhooks.find({ id }, token);
  await move(data.webhookEndpoint.url);
  await webhooks.add({ input: { ...wanted, url: "https://10.0.0.1/" } }, token);
  await webhooks.roll({ id }, await signInAs(app, await createUser(app)));
  expect(await getSubjects(owner)).toEqual([]);
  await move(wanted.url);
  expect(await getSubjects(owner)).toEqual([expect.stringMatching(/^A webhook endpoint URL was changed at /)]);
  const rolled = (await webhooks.roll({ id }, token)).data.rollWebhookSecret.secret as string;
  const [email] = await getEmails(owner);
  expect(email?.subject).toMatch(/^A webhook signing secret was rolled at /);
  expect(email?.text).toContain("For the next 24 hours, they are also signed with the old secret");
  expect(`${email?.html}${email?.text}`).not.toContain(rolled);
});

test("allows 60 changes an hour per user", async () => {
  const owner = await createUser(app);
  const { id, token } = await createEndpoint(app, receiver, owner);
  for (let count = 1; count < 59; count++) await app.services.rateLimits.take("webhookChange", owner.id);
  expect((await webhooks.roll({ id }, token)).errors).toBeUndefined();
  const input = { ...wanted, enabled: true };
  const refused = [await webhooks.roll({ id }, token), await webhooks.update({ id, input }, token)];
  refused.push(await webhooks.add({ input: wanted }, token));
  expect(refused.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual(Array(3).fill("RATE_LIMITED"));
});
