import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { attentionLists } from "#schema/attention-lists.ts";
import { countAttention, listAttention } from "#api/staff/attention/attention.ts";
import { listAuditActors, listAuditEntries } from "#api/staff/audit-log/list-audit-entries.ts";
import { findContacts, findDevices, findInvoices, findLicences, findUsers } from "#api/staff/search/lookups.ts";
import { readSearch } from "#api/staff/search/read-search.ts";
import { timelineOf } from "#api/staff/timeline/timeline.ts";
import { TimelineKind } from "#api/staff/timeline/timeline-sources.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const admin = await createAdmin(app);
const licence = await createLicence(app, user);
const { pool } = app.services;

// Without the time limits of the product.
const seeding = new pg.Client({ ...app.database, database: app.database.dbName });

/** So many rows of each big table: enough that PostgreSQL never prefers reading them all. */
const MANY = 6_000;

const multiply = (table: string, differing: string) => copyRow(seeding, table, { times: MANY, differing });

beforeAll(async () => {
  await createDevice(app, licence);
  await createContact(app, user);
  await createSubscription(app, licence);
  await createTaxInvoice(app, user);
  await seeding.connect();
  await multiply(
    "users",
    `'confirmation_handle', gen_random_uuid(), 'email', 'person' || n || '@example.com', 'sign_in_email', 'person' || n || '@example.com'`,
  );
  // Everything else is spread over these users, and over the year.
  const someone = `(array(select id from users order by id limit 500))[1 + n % 500]`;
  const once = `now() + (n % 400 - 200) * interval '1 day'`;
  await multiply(
    "licences",
    `'licence_code', 'code' || n, 'support_code', 'S-' || n, 'user_id', ${someone}, 'expires_at', ${once}`,
  );
  await multiply("devices", `'machine_name', 'PC-' || n, 'fingerprint', 'f' || n, 'token_hash', 't' || n`);
  await multiply(
    "contacts",
    `'email', 'contact' || n || '@example.com', 'last_name', 'Name' || n, 'user_id', ${someone}`,
  );
  await multiply("subscriptions", `'user_id', ${someone}, 'status', 'cancelled', 'ended_at', now()`);
  await seeding.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id)
     select now() - n * interval '5 minutes', now(), 'validate', case when n % 1000 = 0 then 20 else 1 end, id
       from (select id, row_number() over () as n from licences) l`,
  );
  await seeding.query(
    `insert into sessions (id, user_id, client_id, created_at, last_used_at, expires_at)
     select gen_random_uuid(), ${someone}, 'portal', now(), now(), now() from generate_series(1, ${MANY}) n`,
  );
  await seeding.query(
    `insert into comments (id, user_id, text, commented_by_id, commented_by, at)
     select gen_random_uuid(), ${someone}, 'Called', $1, 'Root', now() - n * interval '1 minute' from generate_series(1, ${MANY}) n`,
    [admin.id],
  );
  await seeding.query(
    `insert into audit_entries (id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, user_id, ip, request_id)
     select gen_random_uuid(), now() - n * interval '1 minute', $1, 'Root', 'update-user', 'user', n::text, 'Person ' || n, ${someone}, '', ''
       from generate_series(1, ${MANY}) n`,
    [admin.id],
  );
  await seeding.query("analyze");
  await seeding.end();
}, 120_000);

/** Tables of a row or two, and the test clock's own. */
const small = ["tax_invoices", "subscription_changes", "settings"];

/** Tables that a statement reads from end to end. */
async function readWhole(work: () => Promise<unknown>): Promise<string[]> {
  const asked: { text: string; values: unknown[] }[] = [];
  const original = pool.query.bind(pool) as (...args: unknown[]) => Promise<{ rows: never[] }>;
  const spy = vi.spyOn(pool, "query").mockImplementation(((
    first: { text: string; values?: unknown[] } | string,
    values?: unknown[],
  ) => {
    asked.push(
      typeof first === "string"
        ? { text: first, values: values ?? [] }
        : { text: first.text, values: first.values ?? [] },
    );
    return original(first, values);
  }) as never);
  await work();
  spy.mockRestore();
  expect(asked.length).toBeGreaterThan(0);
  const whole: string[] = [];
  for (const { text, values } of asked) {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
    for (const { "QUERY PLAN": line } of rows) {
      const table = /Seq Scan on (\w+)/.exec(line)?.[1];
      // Months without events are empty, and read for nothing; PostgreSQL's own tables are asked for its statistics.
      if (!table || table.startsWith("pg_") || small.includes(table)) continue;
      if (!/^licence_events_(?:\d|default)/.test(table)) whole.push(table);
      else if (!/rows=[01] /.test(line)) whole.push(line.trim());
    }
  }
  return whole;
}

const wanted = (text: string) => {
  const read = readSearch(text);
  if (!read) throw new Error("too short");
  return read;
};

test.each([
  ["a licence code", () => findLicences(app.context(), wanted(licence.licenceCode))],
  ["a support code", () => findLicences(app.context(), wanted(licence.supportCode))],
  ["an email", () => findUsers(app.context(), wanted("person17@"), 8)],
  ["an ABN", () => findUsers(app.context(), wanted("51 824 753 556"), 8)],
  ["a machine name", () => findDevices(app.context(), wanted("pc-1"), 8)],
  ["a contact", () => findContacts(app.context(), wanted("name17"), 8)],
  ["an invoice number", () => findInvoices(app.context(), wanted("A-100001"))],
])("the search for %s reads an index", async (_what, work) => {
  expect(await readWhole(work)).toEqual([]);
});

test("what needs attention is counted by indexes", async () => {
  expect(await readWhole(() => countAttention(app.context()))).toEqual([]);
});

test.each(attentionLists)("the list of %s reads an index", async (list) => {
  expect(await readWhole(() => listAttention(app.context(), { list, offset: 0, limit: 10 }))).toEqual([]);
});

test.each([
  ["from the newest", {}],
  ["of one admin", { actorId: admin.id }],
  ["by words", { search: "person 17" }],
])("the audit log %s reads an index", async (_what, filter) => {
  expect(await readWhole(() => listAuditEntries(app.context(), { filter, first: 20 }))).toEqual([]);
});

test("who is in the audit log is read from actor to actor", async () => {
  expect(await readWhole(() => listAuditActors(app.context()))).toEqual([]);
});

test.each([["all kinds", null], ...Object.values(TimelineKind).map((kind) => [kind, [kind]] as const)] as const)(
  "the timeline of %s reads indexes, from the start and from the middle",
  async (_what, kinds) => {
    const after = Buffer.from(`${Date.now() * 1_000}.event:00000000000000000001`).toString("base64url");
    for (const cursor of [null, after]) {
      const whole = await readWhole(() => timelineOf(app.context(), user.id, { first: 30, after: cursor, kinds }));
      expect(whole).toEqual([]);
    }
  },
);
