import { expect, test } from "vitest";
import { addComment } from "#api/staff/comments/comment.resolver.ts";
import { createContext } from "#api/platform/context.ts";
import { checkFile, buildUsersCsv } from "#tests/factories/bulk.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

/** Relations with the number of levels they lie below users. */
const relations: [string, number, string][] = [
  ["contacts", 1, "contacts { email }"],
  ["blocked machines", 1, "blockedMachines { machineName }"],
  ["licences", 1, "licences { id }"],
  ["invoices", 1, "invoices { number }"],
  ["running subscriptions", 1, "hasActiveSubscription"],
  ["devices", 2, "licences { devices { machineName } }"],
  ["a licence's history", 2, "licences { events(first: 2) { rows { id } } }"],
  ["a device's history", 3, "licences { devices { events(first: 2) { rows { id } } } }"],
  ["leases", 2, "licences { leases { id device { id } } }"],
  ["deactivated devices", 2, "licences { recentlyFreed { id } }"],
  ["deactivation allowances", 2, "licences { deactivationAllowance { used } }"],
  ["owners", 2, "licences { owner { email } }"],
  ["subscribed licences", 2, "licences { isSubscribed }"],
  ["seat denials", 2, "licences { seatDenials { id } }"],
  ["licences of devices", 3, "licences { devices { licence { id } } }"],
  ["devices and licences of events", 3, "licences { events(first: 2) { rows { device { id } licence { id } } } }"],
  ["customers of contacts", 2, "contacts { user { id } }"],
  ["authors of comments", 2, "comments { author { id } }"],
  ["customers of invoices", 2, "invoices { user { id } }"],
  ["comments", 1, "comments { comment }"],
  ["what needs attention", 1, "attention { what }"],
  ["emails", 1, "emails { subject state }"],
  ["numbers of devices", 2, "licences { deviceCount }"],
  ["personal access tokens", 1, "personalAccessTokens { name }"],
  // The first statement reads the ids of the newest sessions, the second one their rows.
  ["sessions", 2, "sessions { browser }"],
  // The first statement reads the entries, the second one the plan prices that they refer to.
  ["timelines", 2, "timeline(first: 10) { rows { title subject } }"],
  ["audit entries of timelines", 3, "timeline(first: 10) { rows { auditEntry { isRevertible } } }"],
  ["searched timelines", 2, 'timeline(first: 2, search: "subscribed") { rows { title subject } }'],
];

/** Builds the query. `inResolvers` adds a field name that is too long for SQL, so that the resolvers run. */
const buildPage = (fields: string, inResolvers = true) =>
  `query Page($limit: Int!) { users(first: $limit) { rows { id ${inResolvers ? `${"x".repeat(64)}: id` : ""} ${fields} } } }`;

const admin = await createAdmin(app);
const token = await signInAs(app, admin);
const staff = { userId: admin.id, sessionId: null, role: "admin" } as const;
for (let n = 0; n < 12; n++) {
  const user = await createUser(app);
  await createContact(app, user);
  await createTaxInvoice(app, user);
  for (let l = 0; l < 2; l++) {
    const licence = await createLicence(app, user, { numberOfMachines: 5 });
    await createDevice(app, licence);
    await createDevice(app, licence);
    if (l === 0) await createSubscription(app, licence);
  }
  await addComment(createContext(app.services, { actor: staff }), user.id, { comment: "Called." });
  await createToken(app, user);
  await signInAs(app, user);
}

async function recordPage(query: string, limit: number) {
  let rows: { id: string }[] = [];
  const statements = await recordStatements(async () => {
    const { data, errors } = await app.graphql(query, { limit }, token);
    expect(errors).toBeUndefined();
    rows = data.users.rows;
  });
  expect(rows).toHaveLength(limit);
  return statements;
}

test.each(relations)("reads %s with one statement per level (%i) for any page size", async (_what, levels, fields) => {
  await recordPage(buildPage(fields), 2);
  const statements = await recordPage(buildPage(fields), 12);
  // The session check, the users, their count and one statement per level. One more may come from the process itself.
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(3 + levels + 1);
});

test("reads rows of bulk runs with the same number of statements for any number of runs", async () => {
  for (let n = 0; n < 4; n++)
    await checkFile(app, token, "kind=import-users&fileName=a.csv", buildUsersCsv(3, `run-${n}`));
  const query = `query ($limit: Int!) { bulkRuns(first: $limit) { rows { rows(first: 2) { total rows { label } } } } }`;
  const recordRunStatements = (limit: number) =>
    recordStatements(async () => {
      const { data, errors } = await app.graphql(query, { limit }, token);
      expect(errors).toBeUndefined();
      expect(data.bulkRuns.rows).toHaveLength(limit);
      for (const { rows } of data.bulkRuns.rows) {
        expect(rows.total).toBe(3);
        expect(rows.rows).toHaveLength(2);
      }
    });
  expect((await recordRunStatements(4)).length).toBe((await recordRunStatements(1)).length);
});

const getOutcome = async (query: string, variables: Record<string, unknown>) =>
  (await app.graphql(query, variables, token)).errors?.[0]?.message ?? "success";

test("the cost limit allows fifty users with timelines, ten with all relations, and a full list", async () => {
  const fields = `firstName lastName email contacts { id email } comments { comment commentedBy } invoices { number totalCents }
    licences { supportCode status expiresAt devices { machineName lastSeenAt } }
    timeline(first: 10) { rows { at title subject detail } }`;
  const { data, errors } = await app.graphql(buildPage(fields, false), { limit: 50 }, token);
  expect(errors).toBeUndefined();
  expect(data.users.rows.length).toBeGreaterThanOrEqual(12);
  const customer = data.users.rows.find(({ comments }: { comments: object[] }) => comments.length > 0);
  for (const list of ["contacts", "comments", "invoices", "licences"]) expect(customer[list]).not.toEqual([]);
  expect(customer.timeline.rows.length).toBeGreaterThan(3);
  // Ten users with all relations, and a full list.
  const whole = `firstName lastName email companyName mobile position registeredAt contacts { id firstName lastName email phone contactType }
    licences { id licenceCode productLevel expiresAt createdAt status features devices { id machineName lastSeenAt activatedAt isVm events(first: 3) { rows { at answer } } } }
    invoices { id number issuedAt totalCents }`;
  expect(await getOutcome(buildPage(whole), { limit: 10 })).toBe("success");
  const columns = "firstName lastName email companyName memberType registeredAt licences { id }";
  expect(await getOutcome(buildPage(columns), { limit: 100 })).toBe("success");
});

const owners = "licences { owner { licences { owner { licences { id status } } } } }";
const histories = "licences { a: events(first: 100) { rows { id } } b: events(first: 100) { rows { id } } }";

test.each([
  ["repeatedly nested licences and owners", buildPage(`a: ${owners} b: ${owners} c: ${owners}`), 100],
  ["the whole history of every device", buildPage("licences { devices { events(first: 100) { rows { id } } } }"), 12],
  ["many parallel histories", buildPage(histories), 50],
])("the cost limit rejects %s before it reads anything", async (_what, query, limit) => {
  const statements = await recordStatements(async () => {
    expect(await getOutcome(query, { limit })).toMatch(/^Query too expensive: cost [\d,]+, limit 10,000\./);
  });
  // The only statement is the session check.
  expect(statements).toHaveLength(1);
});
