import { describe, expect, test } from "vitest";
import { fillDemoData } from "#api/dev/demo-data.ts";
import { linkDemoSubscriptions } from "#api/dev/demo/link-subscriptions.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { exampleGroups } from "#web/site/playground/examples.ts";

const app = await startTestApp();
await fillDemoData(app.services);
await linkDemoSubscriptions(app.services, app.devPayments);
// The demo's audit log is empty, so add an entry.
const admin = await demoToken("admin");
const adaSearch = await app.graphql('{ users(filter: { search: "ada@demo.test" }) { rows { id } } }', {}, admin);
await app.graphql(
  'mutation Note($id: ID!) { addComment(userId: $id, comment: "Called about the explorer.") { id } }',
  { id: adaSearch.data.users.rows[0].id },
  admin,
);

const groups = exampleGroups(app.clock.now());
const demoUserByGroup: Record<string, string | null> = {
  Visitors: null,
  Customers: "ada",
  "Corporate customers": "corporate",
  "Mutations for customers": "ada",
  Admins: "admin",
  "Mutations for admins": "admin",
  Reports: "admin",
};

async function demoToken(name: string | null | undefined): Promise<string | undefined> {
  if (!name) return undefined;
  const { json } = await app.rest("POST", "/v1/core/auth/token", {
    body: { UserName: `${name}@demo.test`, Password: "Demo-pass-1", ClientId: "portal", GrantType: "password" },
  });
  return json.access_token;
}

async function run(query: string, variables: object, token?: string) {
  const { status, json } = await app.rest("POST", "/graphql", {
    body: { query, variables },
    headers: { "x-query-cost": "1" },
    ...(token ? { token } : {}),
  });
  return {
    status,
    ...(json as { data: unknown; errors?: unknown; extensions: { cost: { requested: number; limit: number } } }),
  };
}

/** Returns whether a field with this name has a value or a non-empty list, at any depth. */
function hasValue(data: unknown, key: string): boolean {
  if (Array.isArray(data)) return data.some((one) => hasValue(one, key));
  if (typeof data !== "object" || data === null) return false;
  return Object.entries(data).some(([name, value]) =>
    name === key ? (Array.isArray(value) ? value.length > 0 : value !== null) : hasValue(value, key),
  );
}

/** Fields for which the demo data must contain values, so that examples don't return empty lists. */
const expectedFields: Record<string, readonly string[]> = {
  "plans-on-sale": ["prices"],
  "suggested-addresses": ["addressSuggestions"],
  "my-licences": ["licences", "devices", "rows"],
  "refused-machines": ["rows"],
  "my-invoices": ["subscription", "taxInvoices"],
  "seats-now": ["devices", "seatDenials"],
  "whole-user": ["licences", "devices", "invoices", "comments"],
  "fifty-users": ["contacts", "comments", "invoices", "licences", "devices", "rows"],
  "find-anything": ["hits"],
  "list-of-users": ["rows", "endCursor"],
  "latest-changes": ["rows", "changes"],
  "business-figures": ["plans"],
  "report-rows": ["columns", "rows"],
  "report-course": ["points"],
  "priced-with-promo-code": ["totalCents", "discountCents"],
  "create-token": ["secret"],
  "check-extension": ["state", "terms"],
  "save-report": ["name"],
};

describe.each(groups.map((group) => [group.label, group] as const))("examples for %s", (label, { examples }) => {
  test.each(examples.map((example) => [example.title, example] as const))(
    "'%s' returns demo data without errors and within the cost limit",
    async (_title, { id, query, variables }) => {
      const { status, data, errors, extensions } = await run(query, variables, await demoToken(demoUserByGroup[label]));
      expect({ status, errors }).toEqual({ status: 200, errors: undefined });
      expect(extensions.cost.requested).toBeGreaterThan(0);
      expect(extensions.cost.requested).toBeLessThan(extensions.cost.limit);
      expect(expectedFields[id]?.filter((key) => !hasValue(data, key))).toEqual([]);
    },
  );
});

test("mutation examples charge nobody and extend nothing", async () => {
  const counts = async () => {
    const { rows } = await app.services.pool.query(
      `select (select count(*)::int from subscriptions) as subscriptions, (select count(*)::int from tax_invoices) as invoices,
              (select sum(extract(epoch from expires_at)) from licences) as expiries, (select count(*)::int from users) as users`,
    );
    return rows[0];
  };
  const before = await counts();
  for (const { label, examples } of groups.filter((group) => group.label.startsWith("Mutations")))
    for (const { query, variables, id } of examples) {
      expect(query).toMatch(/^mutation /m);
      const again = id === "save-report" ? { input: { ...(variables.input as object), name: "Again" } } : variables;
      const { errors } = await run(query, again, await demoToken(demoUserByGroup[label]));
      expect(errors, id).toBeUndefined();
    }
  await app.services.jobs.drain();
  expect(await counts()).toEqual(before);
});

test("requires visitors to sign in for examples for other roles", async () => {
  for (const { examples } of groups.filter(({ account }) => account !== null)) {
    for (const { id, query, variables } of examples) {
      const { errors } = await run(query, variables);
      // The visitor's cost limit is checked first.
      const code = id === "fifty-users" ? "BAD_USER_INPUT" : "UNAUTHENTICATED";
      expect(errors).toMatchObject([{ extensions: { code } }]);
    }
  }
});
