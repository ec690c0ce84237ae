import { beforeAll, expect, test } from "vitest";
import { permissions } from "#api/app/permissions.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import { toCodeName } from "#schema/closed-list.ts";
import { canReceiveEvents, subscribedEventTypes, webhookEventRoles } from "#schema/webhooks.ts";
import { getErrorCode } from "#tests/factories/account.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { weekly } from "#tests/factories/saved-report.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { openWebhookCalls } from "#tests/factories/webhook.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const roles = ["support", "finance", "release"] as const satisfies readonly StaffRole[];
const tokens = {} as Record<StaffRole, string>;
let customer: User;
let code = "";
let licenceId = "";

beforeAll(async () => {
  for (const role of [...roles, "owner"] as const)
    tokens[role] = await signInAs(app, await createAdmin(app, { staffRoles: [role] }));
  customer = await createUser(app, { firstName: "Wilhelmina" });
  const licence = await createLicence(app, customer);
  await callAddinFrom(app, await createDevice(app, licence), "validate", licence);
  ({ licenceCode: code, id: licenceId } = licence);
  const add = 'mutation ($id: ID!) { addComment(userId: $id, comment: "Prefers the old address") { id } }';
  expect((await send("support", add)).outcome).toBe("read");
  const addContact = `mutation ($id: ID!) { addContact(userId: $id, input: { firstName: "Jo", lastName: "Bloggs",
    email: "jo@x.example", phone: "0412 345 678", contactType: IT }) { id } }`;
  expect((await send("support", addContact)).outcome).toBe("read");
  await createTaxInvoice(app, customer);
  await createSubscription(app, licence);
});

const send = async (role: StaffRole, query: string) => {
  const id = query.startsWith("licence ") ? licenceId : customer.id;
  const answer = await app.graphql(query, { id }, tokens[role]);
  return { ...answer, outcome: answer.errors ? getErrorCode(answer) : "read" };
};

/** Queries by what they read, with the roles that may, besides owners. */
const readings: Readonly<Record<string, readonly [query: string, roles: readonly StaffRole[]]>> = {
  users: ["{ users { rows { id email } } }", ["support", "finance"]],
  "a user": ["user { id }", ["support", "finance"]],
  contacts: ["user { contacts { id } }", ["support", "finance"]],
  comments: ["user { comments { comment } }", ["support"]],
  "comments of the list": ["{ users { rows { comments { comment } } } }", ["support"]],
  "attention and emails": ["user { attention { what } emails { subject } }", ["support", "finance"]],
  "what happened since yesterday": ["{ sinceYesterday { payments } }", ["support", "finance"]],
  sessions: ["user { sessions { ip } }", ["support"]],
  tokens: ["user { personalAccessTokens { lastUsedIp } }", ["support"]],
  "entries of a timeline": ["user { timeline { rows { auditEntry { ip } } } }", ["support"]],
  timeline: ["user { timeline { rows { detail } } }", ["support"]],
  licences: ["licence { supportCode }", ["support", "finance"]],
  "licence codes": ["licence { licenceCode }", ["support"]],
  "licence codes of the list": ["{ users { rows { licences { licenceCode } } } }", ["support"]],
  "addresses of requests": ["licence { events { rows { ip } } }", ["support"]],
  invoices: ["{ invoices { rows { id } } }", ["support", "finance"]],
  subscriptions: ["{ billingSubscriptions { rows { id } } }", ["support", "finance"]],
  "the audit log": ["{ auditLog { rows { id } } }", ["support", "finance"]],
  dashboard: ["{ dashboard(days: 30) { expiring { count } } }", ["support", "finance"]],
  "plans to price": ["{ allPlans { name } }", ["finance"]],
  builds: ["{ softwareBuilds { endCursor } }", ["release"]],
  "the licence of a device": ["licence { devices { licence { licenceCode } } }", ["support"]],
  "the licence of an event": [
    "licence { events { rows { licence { supportCode } device { id } } } }",
    ["support", "finance"],
  ],
  "the author of a comment": ["user { comments { author { email } } }", ["support"]],
  "comments of the customer of an invoice": ["{ invoices { rows { user { comments { comment } } } } }", ["support"]],
  "codes of a subscription": ["{ billingSubscriptions { rows { licence { licenceCode } } } }", ["support"]],
  "customers of subscriptions": ["{ billingSubscriptions { rows { user { email } } } }", ["support", "finance"]],
  "runs of the audit log": ["{ auditLog { rows { bulkRun { id } } } }", ["support"]],
  "actors of the audit log": ["{ auditLog { rows { actor { id } licence { id } } } }", ["support", "finance"]],
  "own data of the caller": ["{ me { id sessions { ip } } }", roles],
};

test.each(Object.entries(readings))("%s", async (_name, [query, allowed]) => {
  // Twice, because a repeated query runs as a prepared statement, and owners first, whose statement is cached.
  for (let n = 0; n < 2; n++) {
    expect((await send("owner", query)).outcome).toBe("read");
    const outcomes = await Promise.all(roles.map(async (role) => [role, (await send(role, query)).outcome]));
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(roles.map((role) => [role, allowed.includes(role) ? "read" : "FORBIDDEN"])),
    );
  }
});

test.each([
  ["POST", "/v1/users/filter", ["support", "finance"]],
  ["POST", "/v1/users/export", ["support", "finance"]],
  ["POST", "/v1/comments/get", ["support"]],
  ["GET", "/v1/users/ID", ["support", "finance"]],
  ["GET", "/v1/licence/ID", ["support", "finance"]],
  ["GET", "/v1/core/accounts/ID/profile", ["support", "finance"]],
  ["GET", "/v1/core/accounts/ID/profile/settings", ["support", "finance"]],
  ["POST", "/v1/reports/download-licence-code-report", ["support"]],
] as const)("%s %s", async (method, url, allowed) => {
  const outcomes = await Promise.all(
    roles.map(async (role) => {
      const request = { token: tokens[role], ...(method === "POST" ? { body: {} } : {}) };
      const { status, text } = await app.rest(method, url.replace("ID", customer.id), request);
      if (role === "finance") expect(text.includes(code)).toBe(false);
      return [role, status === 403];
    }),
  );
  expect(Object.fromEntries(outcomes)).toEqual(
    Object.fromEntries(roles.map((role) => [role, !(allowed as readonly string[]).includes(role)])),
  );
});

test("every role reads its own profile, and finds in the search only what it may read", async () => {
  for (const role of roles) {
    const { data } = await send(role, "{ me { id } }");
    const account = `/v1/core/accounts/${data.me.id}`;
    for (const part of ["profile", "profile/settings"])
      expect((await app.rest("GET", `${account}/${part}`, { token: tokens[role] })).status).toBe(200);
  }
  const query = `{ search(text: "Wilhelmina") { hits { label } } }`;
  const found = await Promise.all(roles.map(async (role) => (await send(role, query)).data.search.hits.length > 0));
  expect(found).toEqual([true, true, false]);
});

const period = 'startDate: "2026-01-01", endDate: "2026-12-31"';
const run = (reportType: string) =>
  send("finance", `{ reportPreview(reportType: ${reportType}, ${period}) { columns { title } } }`);

test("finance sees reports without comments, licence codes and IP addresses", async () => {
  expect((await run("USERS_COMMENTS")).outcome).toBe("FORBIDDEN");
  for (const type of ["LICENCES", "LICENCE_VALIDATIONS", "LICENCE_DEACTIVATIONS", "BLOCKED_MACHINE_ATTEMPTS"]) {
    const { data } = await run(type);
    const titles = data.reportPreview.columns.map(({ title }: { title: string }) => title);
    expect(titles).toContain("Support code");
    expect(titles.filter((title: string) => /^(licence code|ip address)$/i.test(title))).toEqual([]);
  }
  const input = { ...weekly, reportType: "USERS_COMMENTS", schedule: "NONE" };
  expect(getErrorCode(await app.graphql("saveReport { id }", { input }, tokens.finance))).toBe("FORBIDDEN");
});

test("finance sees the audit log without comments and IP addresses", async () => {
  const input = { name: "Export", scopes: ["PROFILE_READ"], expiresInDays: 1, networks: ["203.0.113.7"] };
  await app.graphql("createPersonalAccessToken { secret }", { input }, tokens.owner);
  const query = "{ auditLog { rows { subjectType ip changes { after } } } }";
  const rows = async (role: StaffRole) => (await send(role, query)).data.auditLog.rows;
  const all = await rows("support");
  expect(all).toContainEqual(expect.objectContaining({ subjectType: "COMMENT", ip: expect.stringMatching(/./) }));
  expect(JSON.stringify(all)).toContain("203.0.113.7");
  const seen = await rows("finance");
  expect(JSON.stringify(seen)).not.toContain("203.0.113.7");
  expect(
    seen.filter(({ subjectType, ip }: { subjectType: string; ip: string }) => subjectType === "COMMENT" || ip),
  ).toEqual([]);
});

const queries: Readonly<Record<string, string>> = {
  licence: "Query.licence",
  trial: "Query.licence",
  device: "Query.licence",
  seat: "Query.seatUsage",
  subscription: "Query.billingSubscriptions",
  payment: "User.paymentAttempts",
  invoice: "Query.invoices",
  user: "Query.user",
  contact: "User.contacts",
  build: "Query.softwareBuild",
};

const findQuery = (type: string) => queries[type.split(".")[0] ?? ""] ?? "Query.securityEvents";

test("webhook events have the roles of the query of their data", () => {
  for (const type of subscribedEventTypes)
    expect([type, [...(webhookEventRoles[type] ?? [])].toSorted()]).toEqual([
      type,
      [permissions.operations[findQuery(type)]?.roles ?? []].flat().toSorted(),
    ]);
  expect(canReceiveEvents("invoice.paid", null)).toBe(true);
  expect(canReceiveEvents("security-event.created", null)).toBe(false);
});

test("webhook events can be subscribed to only by staff who may query their data", async () => {
  const subscribe = async (role: StaffRole, type: string) => {
    const input = { url: "https://hooks.example.com/", description: "", eventTypes: [toCodeName(type)] };
    return (await openWebhookCalls(app).add({ input }, tokens[role])).errors?.[0]?.extensions.fields;
  };
  expect(await subscribe("release", "licence.issued")).toEqual({
    eventTypes: ["Your staff role doesn't include licence.issued."],
  });
  expect(await subscribe("finance", "invoice.paid")).toBeUndefined();
  expect(await subscribe("support", "security-event.created")).toEqual({
    eventTypes: ["Only owners can receive security events and audit links."],
  });
});
