import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { resealWebhookSecrets } from "#api/webhooks/endpoints/sweeps.ts";
import { openSecret } from "#api/platform/keys/sealed-secrets.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { generateEncryptionJwk, toEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createEndpoint, openWebhookCalls } from "#tests/factories/webhook.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";
import { createContext } from "#api/platform/context.ts";
import { addEndpoint } from "#api/webhooks/endpoints/change-endpoint.ts";

const app = await startTestApp({ rateLimits: true });
const receiver = await startReceiver();
const webhooks = openWebhookCalls(app);

let owner: User;
let token = "";

beforeEach(async () => {
  owner = await createUser(app);
  token = await signInAs(app, owner);
});

const wanted = { url: "https://hooks.example.com/xer", description: "Our CRM", eventTypes: ["LICENCE_ISSUED"] };
const add = (changes: object = {}, as = token) => webhooks.add({ input: { ...wanted, ...changes } }, as);
const added = async (changes: object = {}) => (await add(changes)).data.addWebhookEndpoint;
const getFieldErrors = async (changes: object) => (await add(changes)).errors?.[0]?.extensions.fields;

test("an endpoint is added with a secret that is shown once and stored sealed, changed, turned off and deleted", async () => {
  const { secret, endpoint } = await added();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const expected = { ...wanted, enabled: true, disabledAt: null, lastDeliveryAt: null, lastStatus: null };
  expect(endpoint).toMatchObject(expected);
  const { data } = await webhooks.list({}, token);
  expect(data.webhookEndpoints).toEqual([endpoint]);
  const { rows } = await app.services.pool.query("select * from webhook_endpoints where id = $1", [endpoint.id]);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(openSecret(app.services.encryptionKeys, rows[0].secret, endpoint.id)).toBe(secret);
  expect(openSecret(app.services.encryptionKeys, rows[0].secret, randomUUID())).toBeNull();

  const { id } = endpoint;
  const values = { url: "https://example.com:8443/?k=1", description: "", eventTypes: ["INVOICE_PAID"] };
  const changed = { ...values, enabled: false };
  const { updateWebhookEndpoint } = (await webhooks.update({ id, input: changed }, token)).data;
  expect(updateWebhookEndpoint).toMatchObject({ ...changed, disabledAt: null, disabledReason: null });
  expect((await webhooks.remove({ id }, token)).data).toEqual({ deleteWebhookEndpoint: { id } });
  expect((await webhooks.list({}, token)).data.webhookEndpoints).toEqual([]);
  expect((await webhooks.remove({ id }, token)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

test("an endpoint of an admin is audited without its query and secret, and the email says that it covers every customer", async () => {
  const user = await createAdmin(app);
  const admin = await signInAs(app, user);
  const mine = (await add({ url: "https://example.com/hook?key=hidden" }, admin)).data.addWebhookEndpoint;
  expect((await getEmails(user))[0]?.text).toContain("receives the events listed below for every customer");
  await webhooks.roll({ id: mine.endpoint.id }, admin);
  await webhooks.remove({ id: mine.endpoint.id }, admin);
  const entries = await listAuditEntries(app, mine.endpoint.id);
  const expected = "add-webhook-endpoint roll-webhook-secret delete-webhook-endpoint";
  expect(entries.map(({ action }) => action).join(" ")).toBe(expected);
  expect(entries[0]?.after).toMatchObject({ url: "https://example.com/hook", eventTypes: ["licence.issued"] });
  expect(JSON.stringify(entries)).not.toMatch(/hidden|whsec_/);
  expect(await listAuditEntries(app, (await added()).endpoint.id)).toEqual([]);
});

test("an endpoint is limited to 10 per user, even for concurrent requests on two processes", async () => {
  const secondProcess = await openSecondProcess(app);
  for (let count = 0; count < 9; count++) await added();
  const actor = { userId: owner.id, sessionId: randomUUID(), role: "regular" as const };
  const both = await Promise.allSettled(
    [app.services, secondProcess, app.services].map((services) =>
      addEndpoint(createContext(services, { actor }), { ...wanted, eventTypes: ["licence.issued"] }),
    ),
  );
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await webhooks.list({}, token)).data.webhookEndpoints).toHaveLength(10);
  expect((await add()).errors?.[0]).toMatchObject({
    message: "You have reached the limit of 10 endpoints. Delete one first.",
    extensions: { code: "CONFLICT" },
  });
});

test("the input for an endpoint rejects an invalid URL with a message", async () => {
  const messages = [
    ["", "URL is required."],
    ["hooks.example.com", "Enter a complete URL, such as https://example.com/webhooks."],
    ["http://example.com/", "URL must start with https://."],
    ["https://me:secret@example.com/", "URL must not contain a user name or a password."],
    ["https://me@example.com/", "URL must not contain a user name or a password."],
    ["https://example.com/#top", "URL must not contain a fragment (#)."],
    ["https://example.com/#", "URL must not contain a fragment (#)."],
    ["https://example.com:22/", "Port must be 443, or 1024 and above."],
    ["https://192.168.1.1/", "URL must lead to a public address."],
    [`https://example.com/${"x".repeat(481)}`, "URL must be at most 500 characters."],
    ["https://example.com/\u0000", "Contains characters that are not allowed."],
  ];
  const found = await Promise.all(messages.map(async ([url]) => [url, (await getFieldErrors({ url }))?.url?.[0]]));
  expect(found).toEqual(messages);
});

test("an endpoint whose URL a newer rule refuses can be turned off, and neither turned on nor moved to another such URL", async () => {
  const { id } = (await added()).endpoint;
  const url = "https://192.168.1.1/";
  await app.services.pool.query("update webhook_endpoints set url = $2 where id = $1", [id, url]);
  const update = (changes: object) => webhooks.update({ id, input: { ...wanted, url, ...changes } }, token);
  expect((await update({ enabled: false })).data?.updateWebhookEndpoint).toMatchObject({ url, enabled: false });
  for (const changes of [{ enabled: true }, { enabled: false, url: "https://192.168.1.2/" }])
    expect((await update(changes)).errors?.[0]?.extensions.fields).toEqual({
      url: ["URL must lead to a public address."],
    });
});

test.each([{}, { enabled: null }])(
  "an edit with %o leaves an endpoint off that was turned off meanwhile",
  async (edit) => {
    const { id } = (await added()).endpoint;
    const off =
      "update webhook_endpoints set enabled = false, disabled_at = now(), disabled_reason = 'Gone' where id = $1";
    await app.services.pool.query(off, [id]);
    const { data } = await webhooks.update({ id, input: { ...wanted, description: "Edited", ...edit } }, token);
    const expected = { description: "Edited", enabled: false, disabledReason: "Gone" };
    expect(data.updateWebhookEndpoint).toMatchObject(expected);
  },
);

test("the input for an endpoint requires known events without duplicates and a short description", async () => {
  expect(await getFieldErrors({ eventTypes: [] })).toEqual({ eventTypes: ["Please choose at least one event."] });
  expect(JSON.stringify(await getFieldErrors({ eventTypes: ["WEBHOOK_TEST"] }))).toContain("Event types are");
  expect(await getFieldErrors({ description: "x".repeat(201) })).toEqual({
    description: ["Description is too long."],
  });
  const twice = await added({
    eventTypes: ["INVOICE_PAID", "INVOICE_PAID"],
    url: `https://e.com/${"x".repeat(486)}`,
  });
  expect(twice.endpoint.eventTypes).toEqual(["INVOICE_PAID"]);
});

test("the secret of an endpoint is sealed again after a rotation of the encryption keys", async () => {
  const { id, secret } = await createEndpoint(app, receiver, owner);
  await webhooks.roll({ id }, token);
  const old = app.services.encryptionKeys;
  const { kid, key } = old.current;
  const listed = [generateEncryptionJwk(), { kty: "oct", kid, k: key.export().toString("base64url") } as const];
  const rotated = toEncryptionKeys(listed);
  const sealed = async () =>
    (await app.services.pool.query("select secret, previous_secret from webhook_endpoints where id = $1", [id]))
      .rows[0];
  const before = await sealed();
  await runSweep({ ...app.services, encryptionKeys: rotated }, resealWebhookSecrets);
  const after = await sealed();
  expect(after.secret).not.toBe(before.secret);
  expect(openSecret(rotated, after.previous_secret, id)).toBe(secret);
  expect(openSecret(old, after.previous_secret, id)).toBeNull();
  expect(await resealWebhookSecrets.run(createContext({ ...app.services, encryptionKeys: rotated }))).toBe(0);
});

test("the owner's data includes the endpoints without their secrets and is deleted with the account", async () => {
  const { secret, id } = await createEndpoint(app, receiver, owner, { description: "mine" });
  await webhooks.test({ id }, token);
  const { json, text } = await app.rest("GET", "/v1/core/accounts/my-data", { token });
  expect(json.webhookEndpoints).toMatchObject([{ description: "mine", deliveries: [{ eventType: "webhook.test" }] }]);
  expect(text).not.toContain(secret);
  await deleteAccount(app, token);
  for (const [table, column] of [
    ["webhook_endpoints", "owner_id"],
    ["webhook_events", "user_id"],
  ])
    expect((await app.services.pool.query(`select from ${table} where ${column} = $1`, [owner.id])).rowCount).toBe(0);
});

const secretive = { ...wanted, url: "https://hooks.example.com/in?key=mumblepeg", eventTypes: ["INVOICE_PAID"] };
const getEmails = async (user: User) =>
  (await listEmailsTo(app, user.email)).filter(({ subject }) => subject.includes("webhook"));

test("emails about endpoints tell the owner of a new endpoint its host and events, without secrets in the URL", async () => {
  const { secret } = await added(secretive);
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
  expect(`${email?.html}${email?.text}`).not.toContain(secret);
});

test("emails about endpoints tell of a new URL or secret, but not of other changes or errors", async () => {
  const { id } = await createEndpoint(app, receiver, owner);
  await app.services.pool.query('delete from mails where lower("to") = lower($1)', [owner.email]);
  const move = (url: string) => webhooks.update({ id, input: { ...secretive, url, enabled: true } }, token);
  const { data } = await webhooks.find({ id }, token);
  await move(data.webhookEndpoint.url);
  await add({ url: "https://10.0.0.1/" });
  await webhooks.roll({ id }, await signInAs(app, await createUser(app)));
  expect(await getEmails(owner)).toEqual([]);
  await move(secretive.url);
  const moved = { subject: expect.stringMatching(/^A webhook endpoint URL was changed at /) };
  expect(await getEmails(owner)).toMatchObject([moved]);
  const rolled = (await webhooks.roll({ id }, token)).data.rollWebhookSecret.secret as string;
  const [email] = await getEmails(owner);
  expect(email?.subject).toMatch(/^A webhook signing secret was rolled at /);
  expect(email?.text).toContain("For the next 24 hours, they are also signed with the old secret");
  expect(`${email?.html}${email?.text}`).not.toContain(rolled);
});

test("allows 60 changes an hour per user", async () => {
  const { id } = await createEndpoint(app, receiver, owner);
  for (let count = 1; count < 59; count++) await app.services.rateLimits.take("webhookChange", owner.id);
  expect((await webhooks.roll({ id }, token)).errors).toBeUndefined();
  const input = { ...wanted, enabled: true };
  const refused = [await webhooks.roll({ id }, token), await webhooks.update({ id, input }, token), await add()];
  expect(refused.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual(Array(3).fill("RATE_LIMITED"));
});
