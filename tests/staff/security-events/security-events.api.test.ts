import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { toRateLimitAddress } from "#api/platform/limits/rate-limits.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { sealEntries } from "#api/audit/chain/seal-entries.ts";
import { alertOwners } from "#api/staff/security-events/alert-owners.ts";
import { readAllPages } from "#tests/support/read-all-pages.ts";
import { runOnly } from "#tests/support/run-only.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { securityEventTypes } from "#schema/security-event.ts";
import { findLabel } from "#schema/closed-list.ts";

const app = await startTestApp({ rateLimits: true });
const grace = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
const alan = await createAdmin(app, { firstName: "Alan", lastName: "Turing" });
const support = await createAdmin(app, { staffRoles: ["support"] });
const archived = await createAdmin(app, { archivedAt: app.clock.now() });
// The email to this owner always fails.
await createAdmin(app, { email: "no address" });

const countAlerts = async (user: User) =>
  (await listEmailsTo(app, user.email)).filter(({ subject }) => subject.startsWith("Security alert")).length;

async function lock(user: User): Promise<void> {
  const context = app.context();
  await recordSecurityEvent(context, context.em, {
    type: "sign-in.locked",
    userId: user.id,
    detail: { limit: "email", seconds: 60 },
  });
}

beforeEach(() => app.clock.setOffset(0));

test("emails the active owners once about many locks of an admin, and again after 15 minutes", async () => {
  await runOnly(app, sealEntries, alertOwners);
  for (let index = 0; index < 5; index++) await lock(grace);
  await runOnly(app, sealEntries, alertOwners);
  await lock(grace);
  await runOnly(app, sealEntries, alertOwners);
  expect([await countAlerts(grace), await countAlerts(alan)]).toEqual([1, 1]);
  expect([await countAlerts(support), await countAlerts(archived)]).toEqual([0, 0]);
  const [alert] = (await listEmailsTo(app, alan.email)).filter(({ subject }) => subject.startsWith("Security alert"));
  for (const text of ["Grace Hopper", "5 times"]) expect(alert?.text).toContain(text);
  app.clock.setOffset(16 * MINUTE);
  await runOnly(app, sealEntries, alertOwners);
  expect(await countAlerts(alan)).toBe(2);
  await runOnly(app, sealEntries, alertOwners);
  expect(await countAlerts(alan)).toBe(2);
});

/** Runs what `act` does after the pause of earlier alerts, and returns the text of the alert about it. */
async function readAlert(minutes: number, act: () => Promise<unknown>): Promise<string> {
  app.clock.setOffset(minutes * MINUTE);
  await runOnly(app, sealEntries, alertOwners);
  const before = await countAlerts(alan);
  app.clock.setOffset((minutes + 16) * MINUTE);
  await act();
  await runOnly(app, sealEntries, alertOwners);
  const emails = (await listEmailsTo(app, alan.email)).filter(({ subject }) => subject.startsWith("Security alert"));
  return emails.length > before ? (emails[0]?.text ?? "") : "";
}

test("sends no alert about a locked customer or their new type, and one about the roles of an admin", async () => {
  const context = app.context();
  const changeRole = (userId: string, before: string, after: string) =>
    recordSecurityEvent(context, context.em, { type: "role.changed", userId, detail: { before, after } });
  const customer = await createUser(app);
  expect(await readAlert(30, () => lock(customer))).toBe("");
  expect(await readAlert(50, () => changeRole(customer.id, "Regular", "Corporate"))).toBe("");
  const alert = await readAlert(70, () => changeRole(support.id, "Admin (Support)", "Admin (Finance)"));
  expect(alert).toContain("Role changed");
});

const credit = (amountCents: number) => async () => {
  const { id: userId } = await createCorporateUser(app);
  const input = { amountCents, reason: "Goodwill for the outage" };
  await app.call("addCredit { id }", { userId, input, key: randomUUID() }, await signInAs(app, grace));
};

test("emails the owners about a large credit, and not about a small one", async () => {
  expect(await readAlert(100, credit(99_999))).toBe("");
  const alert = await readAlert(200, credit(1_000_00));
  for (const text of ["Credit of at least A$1,000.00", "Grace Hopper"]) expect(alert).toContain(text);
});

test("emails the owners about many exports of one member of staff, and about a withdrawn build", async () => {
  const context = app.context();
  const record = (count: number) => async () => {
    for (let index = 0; index < count; index++)
      await recordSecurityEvent(context, context.em, {
        type: "export.made",
        userId: support.id,
        detail: { kind: "report", format: "csv", name: "Users" },
      });
  };
  expect(await readAlert(300, record(19))).toBe("");
  expect(await readAlert(500, record(20))).toContain("Data exported");
  const withdrawn = await readAlert(700, () =>
    recordSecurityEvent(context, context.em, {
      type: "build.withdrawn",
      actorId: support.id,
      detail: { buildId: randomUUID(), stage: "Production", version: "1.2.3" },
    }),
  );
  expect(withdrawn).toContain("withdrawn");
});

const admin = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
const token = await signInAs(app, admin);

type Row = Record<"id" | "type" | "detail", string> & Record<"userId" | "actorId", string | null> & { facts: object[] };

const fields = "id type what userId actorId address detail facts { label value } user { lastName }";
const listEvents = (variables: Record<string, unknown>): Promise<{ rows: Row[]; endCursor: string | null }> =>
  app.call(`securityEvents { rows { ${fields} } endCursor }`, variables, token);

const signIn = (email: string, password: string) =>
  app.graphql("signIn { session { refreshToken } }", { input: { email, password } });

test("lists sign-ins, failures and the lock after five wrong passwords, without the password or the email", async () => {
  const user = await createUser(app);
  await signIn(user.email, testPassword);
  for (let index = 0; index < 6; index++) await signIn(user.email, "Wrong-password-1");
  await signIn("nobody@example.com", "Wrong-password-1");
  const { rows } = await listEvents({ filter: { userId: user.id } });
  expect(rows.map(({ type }) => type)).toEqual([
    "SIGN_IN_LOCKED",
    ...Array(5).fill("SIGN_IN_FAILED"),
    "SIGN_IN_SUCCEEDED",
  ]);
  expect(rows[0]).toMatchObject({
    what: findLabel(securityEventTypes, "sign-in.locked"),
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
    detail: expect.stringContaining('"limit":"email"'),
    user: { lastName: user.lastName },
  });
  expect(rows[1]?.facts).toContainEqual({ label: "Reason", value: "Wrong password" });
  const all = JSON.stringify(await listEvents({}));
  for (const text of ["Wrong-password-1", "nobody@example.com"]) expect(all).not.toContain(text);
});

test("lists refused refresh tokens, and reuse after the grace period", async () => {
  const user = await createUser(app);
  const { data } = await signIn(user.email, testPassword);
  const refresh = (refreshToken: string) => app.graphql("refreshSession { accessToken }", { refreshToken });
  const first = data.signIn.session.refreshToken as string;
  await refresh(first);
  await app.services.pool.query("update refresh_tokens set rotated_at = rotated_at - interval '1 minute'");
  await refresh(first);
  await refresh("unknown");
  expect((await listEvents({ types: ["REFRESH_REUSED"] })).rows).toMatchObject([{ userId: user.id }]);
  expect((await listEvents({ types: ["REFRESH_REFUSED"] })).rows).toMatchObject([
    { userId: null, detail: '{"reason":"unknown"}' },
  ]);
});

test("lists refused permissions of GraphQL and REST with the operation, never under a client's alias", async () => {
  const user = await createUser(app);
  const own = await signInAs(app, user);
  await app.graphql("{ securityEvents { rows { id } } }", {}, own);
  await app.graphql("{ me { ...A } } fragment A on User { mine: contacts { id } }", {}, own);
  await app.rest("POST", "/v1/reports/download-report", { token: own, body: {} });
  const secret = await createTokenWithScopes(app, user, ["profile:read"]);
  await app.graphql("{ mine: me { id licences { id } } }", {}, secret);
  const { rows } = await listEvents({ types: ["PERMISSION_REFUSED"], filter: { userId: user.id } });
  expect(rows.map(({ detail }) => JSON.parse(detail).operation)).toEqual([
    "GraphQL me",
    "POST /v1/reports/download-report",
    "GraphQL me.contacts",
    "GraphQL securityEvents",
  ]);
  expect(rows[0]?.facts).toContainEqual({ label: "Reason", value: "Scope missing in the token" });
});

test("lists proofs of identity, also those that a change asks for", async () => {
  const user = await createUser(app);
  const own = await signInAs(app, user);
  const { changePassword } = createAccountCalls(app);
  for (const password of ["Wrong-password-1", testPassword]) {
    await app.graphql("beginAuthenticatorApp { secret }", { proof: { password } }, own);
    await changePassword(own, { existingPassword: password });
  }
  await app.graphql("deleteMyAccount { id }", { input: { password: "Wrong-password-1" } }, own);
  const types = ["STEP_UP_SUCCEEDED", "STEP_UP_FAILED"];
  const { rows } = await listEvents({ types, filter: { userId: user.id } });
  expect(rows.map(({ type }) => type)).toEqual([types[1], types[0], types[0], types[1], types[1]]);
});

test("lists forged payment notices", async () => {
  await app.rest("POST", "/v1/payments/webhook", { body: "{}", headers: { "stripe-signature": "t=1,v1=00" } });
  expect((await listEvents({ types: ["PAYMENT_NOTICE_FORGED"] })).rows).toHaveLength(1);
});

test("lists changed roles and views as a customer with the admin", async () => {
  const user = await createUser(app);
  await app.graphql("viewAsCustomer { expiresIn }", { userId: user.id }, token);
  const { rows } = await listEvents({ filter: { userId: user.id } });
  expect(rows).toMatchObject([{ type: "VIEW_AS_STARTED", userId: user.id, actorId: admin.id }]);
});

test("pages through all events without repeating one", async () => {
  const seen = await readAllPages((after) => listEvents({ first: 3, after }));
  const { rows } = await app.services.pool.query("select id from security_events order by at desc, id desc");
  expect(seen.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
});

test("filters by words from the name of a user, by address and by dates", async () => {
  const { rows: mine } = await listEvents({ filter: { search: "Grace Hopper" } });
  expect(mine.length).toBeGreaterThan(0);
  expect(new Set(mine.flatMap(({ userId, actorId }) => [userId, actorId]))).toContain(admin.id);
  expect((await listEvents({ filter: { address: "203.0.113.1" } })).rows).toEqual([]);
  expect((await listEvents({ filter: { from: "2099-01-01" } })).rows).toEqual([]);
});

test("exports an erased user without the placeholder of their address", async () => {
  const user = await createUser(app, { firstName: "Deleted", lastName: "User", deletedAt: app.clock.now() });
  await lock(user);
  const body = { userId: user.id };
  const { text } = await app.rest("POST", "/v1/reports/download-security-events", { token, body });
  expect(text).toContain("Deleted User,");
  expect(text).not.toContain(user.email);
});

test("counts the results of bulk runs against the limit of reports", async () => {
  const statuses: number[] = [];
  for (let count = 0; count <= 60; count++)
    statuses.push((await app.rest("GET", `/v1/admin/bulk-runs/${randomUUID()}/result`, { token })).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
});

test("says that wrong passwords from one IP address locked a sign-in", async () => {
  const user = await createUser(app);
  await app.services.pool.query("delete from rate_limits where key like 'passwordByAddress%'");
  for (const ip of ["127.0.0.1", "::1"])
    await app.context().rateLimits.take("passwordByAddress", toRateLimitAddress(ip), 60);
  await signIn(user.email, testPassword);
  const { rows } = await listEvents({ types: ["SIGN_IN_LOCKED"], filter: { userId: user.id } });
  expect(rows.map(({ detail }) => JSON.parse(detail).limit)).toEqual(["address"]);
});
