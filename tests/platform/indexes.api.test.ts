import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { seedDirectory } from "#tests/app/bench/admin/directory.ts";
import { settle } from "#tests/app/bench/seed.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
let token: string;
let userId: string;

beforeAll(async () => {
  token = await signInAs(app, await createAdmin(app));
  const { host, port, user, password, dbName } = app.database;
  const client = new pg.Client({ host, port, user, password, database: dbName });
  await client.connect();
  // Enough that reading a table whole would never be the cheaper way.
  await seedDirectory(client, 2_000, "-");
  await settle(client);
  userId = (await client.query<{ id: string }>("select id from users limit 1")).rows[0]?.id ?? "";
  await client.end();
}, 120_000);

test("every foreign key has an index that begins with it", async () => {
  const { rows } = await app.services.pool.query(
    `select c.conrelid::regclass::text as "table", c.conname as key from pg_constraint c
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indpred is null
           and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
  );
  expect(rows).toEqual([]);
});

const fields = "firstName lastName email companyName memberType registeredAt";
const nested = `${fields} contacts { email } licences { licenceCode status devices { machineName events(first: 3) { rows { id } } } } invoices { number } hasActiveSubscription`;

test.each([
  ["the first page", `{ users { rows { id ${fields} } } }`],
  ["the nested page", `{ users { rows { id ${nested} } } }`],
  ["a user's story", `query Q($id: ID!) { user(id: $id) { id ${nested} } }`],
])("%s reads no table whole", async (_what, query) => {
  let statement: { text: string; values?: unknown[] } | undefined;
  const { pool } = app.services;
  const send = pool.query.bind(pool) as (...args: unknown[]) => unknown;
  (pool as { query: unknown }).query = (...args: unknown[]) => {
    const asked = args[0] as { text?: string; values?: unknown[] };
    if (asked.text?.startsWith("select row_to_json")) statement = asked as typeof statement;
    return send(...args);
  };
  try {
    expect((await app.graphql(query, { id: userId }, token)).errors).toBeUndefined();
  } finally {
    (pool as { query: unknown }).query = send;
  }
  const { text = "", values = [] } = statement ?? {};
  const { rows } = await app.services.pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
  const plan = rows.map((row) => row["QUERY PLAN"]);
  // The sample has no events and no subscriptions: an empty table is read as it is.
  expect(
    plan.filter((line) => /Seq Scan on (users|contacts|comments|licences|devices|tax_invoices)/.test(line)),
  ).toEqual([]);
  expect(plan.length).toBeGreaterThan(3);
});
