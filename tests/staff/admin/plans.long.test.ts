import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { attentionLists } from "#schema/attention.ts";
import { countAttention, listAttention } from "#api/staff/attention/attention.resolver.ts";
import { listAuditActors, listAuditEntries } from "#api/staff/audit-log/list-audit-entries.ts";
import { findContacts, findDevices, findInvoices, findLicences, findUsers } from "#api/staff/search/lookups.ts";
import { parseSearch } from "#api/staff/search/parse-search.ts";
import { getTimeline } from "#api/staff/timeline/timeline.resolver.ts";
import { TimelineKind } from "#api/staff/timeline/timeline-sources.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createAdmin, createUser } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { findSequentialScans } from "#tests/support/sequential-scans.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";
import { listValues } from "#schema/closed-list.ts";

const app = await startTestApp();
const user = await createUser(app);
const admin = await createAdmin(app);
const licence = await createLicence(app, user);
const { pool } = app.services;

// A separate client, without the application's statement timeout.
const seeding = new pg.Client({ ...app.database, database: app.database.dbName });

/** Rows per large table, enough that PostgreSQL prefers indexes to sequential scans. */
const ROW_COUNT = 6_000;

const multiply = (table: string, differing: string) => copyRow(seeding, table, { times: ROW_COUNT, differing });

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
  // All other rows are distributed over these users and over a year.
  const someUser = `(array(select id from users order by id limit 500))[1 + n % 500]`;
  const someTime = `now() + (n % 400 - 200) * interval '1 day'`;
  await multiply(
    "licences",
    `'licence_code', 'code' || n, 'support_code', 'S-' || n, 'user_id', ${someUser}, 'expires_at', ${someTime}`,
  );
  await multiply("devices", `'machine_name', 'PC-' || n, 'fingerprint', 'f' || n, 'token_hash', 't' || n`);
  await multiply(
    "contacts",
    `'email', 'contact' || n || '@example.com', 'last_name', 'Name' || n, 'user_id', ${someUser}`,
  );
  await multiply("subscriptions", `'user_id', ${someUser}, 'status', 'cancelled', 'ended_at', now()`);
  await seeding.query(
    `insert into subscription_cancellations (id, subscription_id, cancelled_at, withdrawn_at)
     select gen_random_uuid(), id, now(), now() from subscriptions`,
  );
  await seeding.query(
    `insert into subscription_pauses (id, subscription_id, paused_at, until, ended_at)
     select gen_random_uuid(), id, now(), now(), now() from subscriptions`,
  );
  await seeding.query(
    `insert into payment_attempts (id, user_id, subscription_id, provider_charge_id, provider_invoice_id, at, number, amount_cents, reason)
     select gen_random_uuid(), user_id, id, 'ch_' || id, 'in_' || id, started_at, 1, 16495, 'Insufficient funds' from subscriptions`,
  );
  await seeding.query(
    `insert into licence_events (at, last_at, kind, result_code, licence_id)
     select now() - n * interval '5 minutes', now(), 'validate', case when n % 1000 = 0 then 20 else 1 end, id
       from (select id, row_number() over () as n from licences) l`,
  );
  await seeding.query(
    `insert into sessions (id, user_id, client_id, created_at, last_used_at, expires_at)
     select gen_random_uuid(), ${someUser}, 'portal', now(), now(), now() from generate_series(1, ${ROW_COUNT}) n`,
  );
  await seeding.query(
    `insert into comments (id, user_id, text, commented_by_id, commented_by, at)
     select gen_random_uuid(), ${someUser}, 'Called', $1, 'Root', now() - n * interval '1 minute' from generate_series(1, ${ROW_COUNT}) n`,
    [admin.id],
  );
  await seeding.query(
    `insert into audit_entries (id, at, actor_id, actor_name, action, subject_type, subject_id, subject_name, user_id, ip, request_id)
     select gen_random_uuid(), now() - n * interval '1 minute', $1, 'Root', 'update-user', 'user', n::text, 'Person ' || n, ${someUser}, '', ''
       from generate_series(1, ${ROW_COUNT}) n`,
    [admin.id],
  );
  await seeding.end();
  // Only its owner may read the statistics of the audit log's table.
  await openOwnerPool(app.database).query("analyze");
}, 120_000);

/** Tables with only a few rows, and the table of the test clock. */
const smallTables = ["leak_measurements", "tax_invoices", "subscription_changes", "settings"];

const findScans = async (work: () => Promise<unknown>) => (await findSequentialScans(pool, smallTables, work)).scans;

const parseText = (text: string) => {
  const read = parseSearch(text);
  if (!read) throw new Error("too short");
  return read;
};

test.each([
  ["a licence code", () => findLicences(app.context(), parseText(licence.licenceCode))],
  ["a support code", () => findLicences(app.context(), parseText(licence.supportCode))],
  ["an email", () => findUsers(app.context(), parseText("person17@"), 8)],
  ["an ABN", () => findUsers(app.context(), parseText("51 824 753 556"), 8)],
  ["a machine name", () => findDevices(app.context(), parseText("pc-1"), 8)],
  ["a contact", () => findContacts(app.context(), parseText("name17"), 8)],
  ["an invoice number", () => findInvoices(app.context(), parseText("A-100001"))],
  ["what needs attention", () => countAttention(app.context())],
  ["the actors of the audit log", () => listAuditActors(app.context())],
])("searches for %s with an index", async (_name, work) => {
  expect(await findScans(work)).toEqual([]);
});

test.each(listValues(attentionLists))("reads the list %s with an index", async (list) => {
  expect(await findScans(() => listAttention(app.context(), { list, offset: 0, limit: 10 }))).toEqual([]);
});

test.each([
  ["newest first", {}],
  ["for one admin", { actorId: admin.id }],
  ["by search text", { search: "person 17" }],
])("reads the audit log %s with an index", async (_name, filter) => {
  expect(await findScans(() => listAuditEntries(app.context(), { filter, first: 20 }))).toEqual([]);
});

test.each([["all kinds", null], ...Object.values(TimelineKind).map((kind) => [kind, [kind]] as const)] as const)(
  "reads the timeline of %s with indexes, from the start and from a cursor",
  async (_name, kinds) => {
    const after = Buffer.from(`${Date.now() * 1_000}.event:00000000000000000001`).toString("base64url");
    for (const cursor of [null, after]) {
      const work = () => getTimeline(app.context(), user.id, { first: 30, after: cursor, kinds });
      expect(await findScans(work)).toEqual([]);
    }
  },
);
