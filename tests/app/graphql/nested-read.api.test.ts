import { beforeAll, describe, expect, test } from "vitest";
import { addComment } from "#api/staff/comments/comments.ts";
import { createContext } from "#api/platform/context.ts";
import { checkedRun, usersCsv } from "#tests/factories/bulk.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { statementsOf } from "#tests/support/count-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
let token: string;

/** Each with its levels below the users. */
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
  ["freed devices", 2, "licences { recentlyFreed { id } }"],
  ["deactivation allowances", 2, "licences { deactivationAllowance { used } }"],
  ["owners", 2, "licences { owner { email } }"],
  ["subscribed licences", 2, "licences { isSubscribed }"],
  ["seat denials", 2, "licences { seatDenials { id } }"],
  ["comments", 1, "comments { comment }"],
  ["personal access tokens", 1, "personalAccessTokens { name }"],
  // The ids of the newest sessions, then their rows.
  ["sessions", 2, "sessions { browser }"],
  // The entries, then the plan prices that they name.
  ["timelines", 2, "timeline(first: 10) { rows { title subject } }"],
  ["searched timelines", 2, 'timeline(first: 2, search: "subscribed") { rows { title subject } }'],
];

/** `inResolvers` has a fragment that only they can answer: a field's name too long for SQL. */
const page = (fields: string, inResolvers = true) =>
  `query Page($limit: Int!) { users(filter: { limit: $limit }) { rows { id ${inResolvers ? `${"x".repeat(64)}: id` : ""} ${fields} } } }`;

beforeAll(async () => {
  const admin = await createAdmin(app);
  token = await signInAs(app, admin);
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
});

async function statementsFor(query: string, limit: number) {
  let rows: { id: string }[] = [];
  const statements = await statementsOf(async () => {
    const { data, errors } = await app.graphql(query, { limit }, token);
    expect(errors).toBeUndefined();
    rows = data.users.rows;
  });
  expect(rows).toHaveLength(limit);
  return statements;
}

test.each(relations)("%s cost a statement a level, %i, whatever the page size", async (_what, levels, fields) => {
  await statementsFor(page(fields), 2);
  const [few, many] = [await statementsFor(page(fields), 2), await statementsFor(page(fields), 12)];
  expect(many.length).toBe(few.length);
  // The check of the session, the users and their number, then one a level.
  expect(many.length).toBeLessThanOrEqual(3 + levels);
});

test("the rows of bulk runs cost the same statements, whatever the number of runs", async () => {
  for (let n = 0; n < 4; n++) await checkedRun(app, token, "kind=import-users&fileName=a.csv", usersCsv(3, `run-${n}`));
  const query = `query ($limit: Int!) { bulkRuns(filter: { limit: $limit }) { rows { rows(filter: { limit: 2 }) { total rows { label } } } } }`;
  const statementsOfRuns = (limit: number) =>
    statementsOf(async () => {
      const { data, errors } = await app.graphql(query, { limit }, token);
      expect(errors).toBeUndefined();
      expect(data.bulkRuns.rows).toHaveLength(limit);
      for (const { rows } of data.bulkRuns.rows) {
        expect(rows.total).toBe(3);
        expect(rows.rows).toHaveLength(2);
      }
    });
  expect((await statementsOfRuns(4)).length).toBe((await statementsOfRuns(1)).length);
});

test("everything at once costs in the resolvers as many statements as it has relations, and in SQL one", async () => {
  const all =
    "contacts { email } blockedMachines { machineName } invoices { number } hasActiveSubscription licences { licenceCode devices { machineName events(first: 2) { rows { id } } } }";
  for (const limit of [2, 12]) {
    expect((await statementsFor(page(all), limit)).length).toBeLessThanOrEqual(10);
    expect(await statementsFor(page(all, false), limit)).toHaveLength(2);
  }
});

describe("what a nesting costs", () => {
  const codeOf = async (query: string, variables: Record<string, unknown>) =>
    (await app.graphql(query, variables, token)).errors?.[0]?.message ?? "answered";

  test("fifty users with contacts, comments, invoices, licences, devices and timelines are answered", async () => {
    const fields = `firstName lastName email contacts { id email } comments { comment commentedBy } invoices { number totalCents }
      licences { supportCode status expiresAt devices { machineName lastSeenAt } }
      timeline(first: 10) { rows { at title subject detail } }`;
    const { data, errors } = await app.graphql(page(fields, false), { limit: 50 }, token);
    expect(errors).toBeUndefined();
    expect(data.users.rows.length).toBeGreaterThanOrEqual(12);
    const customer = data.users.rows.find(({ comments }: { comments: object[] }) => comments.length > 0);
    for (const list of ["contacts", "comments", "invoices", "licences"]) expect(customer[list]).not.toEqual([]);
    expect(customer.timeline.rows.length).toBeGreaterThan(3);
  });

  test("a page of ten with all its relations, and a full list, are answered", async () => {
    const whole = `firstName lastName email companyName mobile position registeredAt contacts { id firstName lastName email phone contactType }
      licences { id licenceCode productLevel expiresAt createdAt status features devices { id machineName lastSeenAt activatedAt isVm events(first: 3) { rows { at answer } } } }
      invoices { id number issuedAt totalCents }`;
    expect(await codeOf(page(whole), { limit: 10 })).toBe("answered");
    expect(
      await codeOf(page("firstName lastName email companyName memberType registeredAt licences { id }"), {
        limit: 100,
      }),
    ).toBe("answered");
  });

  test.each([
    [
      "users' licences' owners' licences",
      page(
        ["a", "b", "c"]
          .map((alias) => `${alias}: licences { owner { licences { owner { licences { id status } } } } }`)
          .join(" "),
      ),
      100,
    ],
    ["every device's whole history", page("licences { devices { events(first: 100) { rows { id } } } }"), 12],
    [
      "many histories beside each other",
      page("licences { a: events(first: 100) { rows { id } } b: events(first: 100) { rows { id } } }"),
      50,
    ],
  ])("%s are refused before anything is read", async (_what, query, limit) => {
    const statements = await statementsOf(async () => {
      expect(await codeOf(query, { limit })).toMatch(/^Query too expensive: cost [\d,]+, limit 10,000\./);
    });
    // The check of the session.
    expect(statements).toHaveLength(1);
  });
});
