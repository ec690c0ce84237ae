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

// A separate client without the application's statement timeout.
const seeding = new pg.Client({ ...app.database, database: app.database.dbName });

/** Number of rows per large table, so that PostgreSQL never prefers a sequential scan. */
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
  // Other rows are spread over these users and over the year.
  const randomUserId = `(array(select id from users order by id limit 500))[1 + n % 500]`;
  const randomTime = `now() + (n % 400 - 200) * interval '1 day'`;
  await multiply(
    "licences",
    `'licence_code', 'code' || n, 'support_code', 'S-' || n, 'user_id', ${randomUserId}, 'expires_at', ${randomTime}`,
  );
  await multiply("devices", `'machine_name', 'PC-' || n, 'fingerprint', 'f' || n, 'token_hash', 't' || n`);
  await multiply(
    "contacts",
    `'email', 'contact' || n || '@example.com', 'last_name', 'Name' || n, 'user_id', ${randomUserId}`,
  );
  await multiply("subscriptions", `'user_id', ${randomUserId}, 'status', 'cancelled', 'ended_at', now()`);
  await seeding.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id)
     select now() - n * interval '5 minutes', now(), 'validate', case when n % 1000 = 0 then 20 else 1 end, id
       from (select id, row_number() over () as n from licences) l`,
  );
  await seeding.query(
    `insert into sessions (id, user_id, client_id, created_at, last_used_at, expires_at)
     select gen_random_uuid(), ${randomUserId}, 'portal', now(), now(), now() from generate_series(1, ${MANY}) n`,
  );
  await seeding.query(
    `insert into comments (id, user_id, text, commented_by_id, commented_by, at)
     select gen_random_uuid(), ${randomUserId}, 'Called', $1, 'Root', now() - n * interval '1 minute' from generate_series(1, ${MANY}) n`,
    [admin.id],
  );
  await seeding.query(
    `insert into audit_entries (id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, user_id, ip, request_id)
     select gen_random_uuid(), now() - n * interval '1 minute', $1, 'Root', 'update-user', 'user', n::text, 'Person ' || n, ${randomUserId}, '', ''
       from generate_series(1, ${MANY}) n`,
    [admin.id],
  );
  await seeding.query("analyze");
  await seeding.end();
}, 120_000);

/** Tables with one or two rows, where a sequential scan is fine. */
const smallTables = ["tax_invoices", "subscription_changes", "settings"];

/** Returns the tables that the statements of `work` scan sequentially. */
async function findSequentialScans(work: () => Promise<unknown>): Promise<string[]> {
  const statements: { text: string; values: unknown[] }[] = [];
  const original = pool.query.bind(pool) as (...args: unknown[]) => Promise<{ rows: never[] }>;
  const spy = vi.spyOn(pool, "query").mockImplementation(((
    first: { text: string; values?: unknown[] } | string,
    values?: unknown[],
  ) => {
    statements.push(
      typeof first === "string"
        ? { text: first, values: values ?? [] }
        : { text: first.text, values: first.values ?? [] },
    );
    return original(first, values);
  }) as never);
  await work();
  spy.mockRestore();
  expect(statements.length).toBeGreaterThan(0);
  const whole: string[] = [];
  for (const { text, values } of statements) {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
    for (const { "QUERY PLAN": line } of rows) {
      const table = /Seq Scan on (\w+)/.exec(line)?.[1];
      // Ignores PostgreSQL's own tables, small tables, and empty monthly partitions of licence events.
      if (!table || table.startsWith("pg_") || smallTables.includes(table)) continue;
      if (!/^licence_events_(?:\d|default)/.test(table)) whole.push(table);
      else if (!/rows=[01] /.test(line)) whole.push(line.trim());
    }
  }
  return whole;
}

const parse = (text: string) => {
  const parsed = readSearch(text);
  if (!parsed) throw new Error("too short");
  return parsed;
};

test.each([
  ["a licence code", () => findLicences(app.context(), parse(licence.licenceCode))],
  ["a support code", () => findLicences(app.context(), parse(licence.supportCode))],
  ["an email", () => findUsers(app.context(), parse("person17@"), 8)],
  ["an ABN", () => findUsers(app.context(), parse("51 824 753 556"), 8)],
  ["a machine name", () => findDevices(app.context(), parse("pc-1"), 8)],
  ["a contact", () => findContacts(app.context(), parse("name17"), 8)],
  ["an invoice number", () => findInvoices(app.context(), parse("A-100001"))],
])("uses an index to search for %s", async (_description, work) => {
  expect(await findSequentialScans(work)).toEqual([]);
});

test("uses indexes to count attention lists", async () => {
  expect(await findSequentialScans(() => countAttention(app.context()))).toEqual([]);
});

test.each(attentionLists)("uses an index for the attention list %s", async (list) => {
  expect(await findSequentialScans(() => listAttention(app.context(), { list, offset: 0, limit: 10 }))).toEqual([]);
});

test.each([
  ["without filters", {}],
  ["of one admin", { actorId: admin.id }],
  ["by words", { search: "person 17" }],
])("uses an index for the audit log %s", async (_description, filter) => {
  expect(await findSequentialScans(() => listAuditEntries(app.context(), { filter, first: 20 }))).toEqual([]);
});

test("uses an index to list the actors of the audit log", async () => {
  expect(await findSequentialScans(() => listAuditActors(app.context()))).toEqual([]);
});

test.each([["all kinds", null], ...Object.values(TimelineKind).map((kind) => [kind, [kind]] as const)] as const)(
  "uses indexes for the timeline of %s, from the start and after a cursor",
  async (_description, kinds) => {
    const after = Buffer.from(`${Date.now() * 1_000}.event:00000000000000000001`).toString("base64url");
    for (const cursor of [null, after]) {
      const whole = await findSequentialScans(() =>
        timelineOf(app.context(), user.id, { first: 30, after: cursor, kinds }),
      );
      expect(whole).toEqual([]);
    }
  },
);
