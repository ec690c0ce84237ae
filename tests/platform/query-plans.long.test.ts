import pg from "pg";
import { expect, test, vi } from "vitest";
import { seedDirectory } from "#bench/admin/directory.ts";
import { vacuumDatabase } from "#bench/seed.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { findSequentialScans } from "#tests/support/sequential-scans.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const token = await signInAs(app, await createAdmin(app));
// Seeding switches triggers off, which only the owner may.
const client = new pg.Client({ ...app.database.owner, database: app.database.dbName });
await client.connect();
// With this many rows, an index is always cheaper than a sequential scan.
await seedDirectory(client, 2_000, "-");
await vacuumDatabase(client);
const userId = (await client.query<{ id: string }>("select id from users limit 1")).rows[0]?.id ?? "";
await client.end();

const fields = "firstName lastName email companyName memberType registeredAt";
const nested = `${fields} contacts { email } licences { licenceCode status devices { machineName events(first: 3) { rows { id } } } } invoices { number } hasActiveSubscription`;

test.each([
  ["first page", `{ users { rows { id ${fields} } } }`],
  ["page with nested fields", `{ users { rows { id ${nested} } } }`],
  ["single user", `query Q($id: ID!) { user(id: $id) { id ${nested} } }`],
])("reads the users without sequential scans: %s", async (_name, query) => {
  const work = async () => expect((await app.graphql(query, { id: userId }, token)).errors).toBeUndefined();
  // The sample has no events or subscriptions, and PostgreSQL scans empty tables.
  const filled = /Seq Scan on (users|contacts|comments|licences|devices|tax_invoices)\b/;
  // PostgreSQL uses an index that the sample rebuilt only once the transactions that were running then have ended.
  await vi.waitFor(
    async () => {
      const { scans, statements } = await findSequentialScans(app.services.pool, [], work);
      // The statement that finds the session, and the one that reads all fields.
      expect(statements).toBeGreaterThan(1);
      expect(scans.filter((line) => filled.test(line))).toEqual([]);
    },
    { timeout: 60_000 },
  );
});
