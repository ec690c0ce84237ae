import { expect, test } from "vitest";
import { flushSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import { fillDemoData } from "#api/dev/demo-data.ts";
import { linkDemoSubscriptions } from "#api/dev/demo/link-subscriptions.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { createBareProgram } from "#tests/factories/click-once.ts";
import { sendOperations } from "#tests/factories/software-upload.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { type ExampleGroup, exampleGroups } from "#web/site/playground/examples.ts";

const app = await startTestApp();
const { signIn } = createAccountCalls(app);
const demoToken = async (name: string): Promise<string | undefined> =>
  (await signIn(`${name}@demo.test`, "Demo-pass-1")).json.access_token;
await fillDemoData(app.services);
await linkDemoSubscriptions(app.services, app.devPayments);
// The demo's audit log is empty, so add an entry.
const admin = await demoToken("admin");
const adaSearch = await app.graphql('{ users(filter: { search: "ada@demo.test" }) { rows { id } } }', {}, admin);
const note = 'mutation Note($id: ID!) { addComment(userId: $id, comment: "Called about the explorer.") { id } }';
await app.graphql(note, { id: adaSearch.data.users.rows[0].id }, admin);

// The demo has no failed sign-in.
await signIn("ada@demo.test", "Wrong-pass-1");
await flushSecurityEvents(app.services);

const groups = exampleGroups(app.clock.now());
/** Returns a token for a kind of caller: a demo user, or an admin with only this role. */
async function signInFor(role: ExampleGroup["role"]): Promise<string | undefined> {
  if (role === "visitor") return undefined;
  if (role === "regular" || role === "corporate") return demoToken(role === "regular" ? "ada" : role);
  return signInAs(app, await createAdmin(app, { staffRoles: [role] }));
}

/** Sends an example as the explorer does: with a file if one of its variables is an upload. */
async function run(query: string, variables: object, token?: string) {
  const headers = { "x-query-cost": "1", "apollo-require-preflight": "true" };
  const file = { name: "Setup.exe", content: createBareProgram(2_000) };
  const { status, json } = query.includes("Upload!")
    ? await sendOperations(app, token ?? null, { query, variables }, { installationFile: file }, headers)
    : await app.rest("POST", "/graphql", { body: { query, variables }, headers, token });
  const reply = json as { data: unknown; errors?: unknown; extensions: { cost: { requested: number; limit: number } } };
  return { status, ...reply };
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
  PlansOnSale: ["prices"],
  SuggestedAddresses: ["addressSuggestions"],
  MyLicences: ["licences", "devices", "rows"],
  RefusedMachines: ["rows"],
  MyInvoices: ["subscription", "taxInvoices"],
  SeatsNow: ["devices", "seatDenials"],
  WholeUser: ["licences", "devices", "invoices", "comments"],
  FiftyUsers: ["contacts", "comments", "invoices", "licences", "devices", "rows"],
  FindAnything: ["hits"],
  ListOfUsers: ["rows", "endCursor"],
  LatestChanges: ["rows", "changes"],
  BusinessFigures: ["plans"],
  ReportRows: ["columns", "rows"],
  ReportCourse: ["points"],
  PricedWithPromoCode: ["totalCents", "discountCents"],
  CreateToken: ["secret"],
  OpenInvoices: ["total", "rows"],
  Builds: ["softwareChannels", "rows"],
  UploadBuild: ["id", "version"],
  SecurityEvents: ["rows"],
  CheckExtension: ["state", "terms"],
  SaveReport: ["name"],
};

const all = groups.flatMap(({ role, examples }) => examples.map((example) => ({ ...example, role })));
test.each(all)("'$title' returns data to $role within the cost limit", async ({ name, query, variables, role }) => {
  const { status, data, errors, extensions } = await run(query, variables, await signInFor(role));
  expect({ status, errors }).toEqual({ status: 200, errors: undefined });
  expect(extensions.cost.requested).toBeGreaterThan(0);
  expect(extensions.cost.requested).toBeLessThan(extensions.cost.limit);
  expect(expectedFields[name]?.filter((key) => !hasValue(data, key))).toEqual([]);
});

test("mutation examples charge nobody and extend nothing", async () => {
  const counts = async () => {
    const { rows } = await app.services.pool.query(
      `select (select count(*)::int from subscriptions) as subscriptions, (select count(*)::int from tax_invoices) as invoices,
              (select sum(extract(epoch from expires_at)) from licences) as expiries, (select count(*)::int from users where member_type <> 3) as customers`,
    );
    return rows[0];
  };
  const before = await counts();
  for (const { role, examples } of groups)
    for (const { query, variables, name } of examples.filter((one) => /^mutation /m.test(one.query))) {
      const input = variables.input as object;
      const again = {
        SaveReport: { input: { ...input, name: "Again" } },
        UploadBuild: { ...variables, input: { ...input, version: "9.9.1" } },
      }[name];
      const { errors } = await run(query, again ?? variables, await signInFor(role));
      expect(errors, name).toBeUndefined();
    }
  await app.services.jobs.drain();
  expect(await counts()).toEqual(before);
});
