import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aboutUser } from "#api/audit/change-log/record-change.ts";
import type { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";
import { createSignedInAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordChangeAt } from "#tests/support/audit.ts";
import { readAllPages } from "#tests/support/read-all-pages.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { user: grace, token } = await createSignedInAdmin(app, { firstName: "Grace", lastName: "Hopper" });
const now = app.clock.now();
const daysAgo = (days: number) => addMilliseconds(now, -days * DAY);
const ada = await createUser(app, { registeredAt: daysAgo(40), emailConfirmedAt: daysAgo(39) });

const createEvent = ({ id: licenceId }: Licence, at: Date, changes: Partial<LicenceEvent> = {}) =>
  createLicenceEvent(app, { at, licenceId, ...changes });

const licence = await createLicence(app, ada, { createdAt: daysAgo(30) });
await createEvent(licence, daysAgo(30), { kind: "issue" });
await createEvent(licence, daysAgo(20), {
  machineName: "LAPTOP-ADA|x",
  count: 12,
  lastAt: addMilliseconds(daysAgo(20), 30 * MINUTE),
});
await createEvent(licence, daysAgo(10), { machineName: "HOME-PC", resultCode: 22, ip: "203.0.113.7" });
await createSubscription(app, licence, { startedAt: daysAgo(25), endedAt: daysAgo(5), status: "cancelled" });
await createTaxInvoice(app, ada);
const change = { userId: ada.id, after: { firstName: "Mary" } };
const contact = { type: "contact", id: randomUUID(), name: "Mary Somerville" } as const;
await recordChangeAt(app, grace, daysAgo(3), { action: "add-contact", subject: contact, ...change });
await recordChangeAt(app, grace, daysAgo(2), { action: "update-user", ...aboutUser(ada), ...change });
await app.services.pool.query(
  `insert into comments (id, user_id, text, commented_by_id, commented_by, at) values ($1, $2, $3, $4, $5, $6)`,
  [randomUUID(), ada.id, "Prefers email.", grace.id, "Grace Hopper", daysAgo(1.5)],
);
await app.services.pool.query(
  `insert into sessions (id, user_id, client_id, user_agent, ip, created_at, last_used_at, expires_at)
   values ($1, $2, 'portal', 'Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36', '203.0.113.5', $3, $3, $3)`,
  [randomUUID(), ada.id, daysAgo(1)],
);

const query = `query ($id: ID!, $first: Int!, $after: String, $kinds: [TimelineKind!], $search: String) {
  user(id: $id) { timeline(first: $first, after: $after, kinds: $kinds, search: $search) {
    rows { id kind at lastAt count title subject detail tone actorName licenceId supportCode changes { field before after } }
    endCursor } } }`;

type Entry = Record<"id" | "at" | "kind" | "title", string>;
type Part = { rows: Entry[]; endCursor: string | null };

const readTimeline = async (id: string, variables: Record<string, unknown> = {}): Promise<Part> =>
  (await app.call(query, { id, first: 40, ...variables }, token)).timeline;

test("lists all events of a user, newest first", async () => {
  const { rows, endCursor } = await readTimeline(ada.id);
  expect(endCursor).toBeNull();
  expect(rows.map(({ title }) => title).join(" | ")).toBe(
    "Tax invoice | Signed in | Commented | Updated the user | Added a contact | Subscription ended | " +
      "Licence check | Licence check | Subscribed | Licence issued | Confirmed the email address | Registered",
  );
  const [invoice, session, comment, , contact, , refused, run] = rows;
  expect(comment).toMatchObject({ kind: "COMMENT", detail: "Prefers email.", actorName: "Grace Hopper" });
  expect(invoice).toMatchObject({ subject: "100001", detail: expect.stringContaining("A$164.95") });
  expect(session).toMatchObject({ detail: "Chrome on Windows from 203.0.113.5" });
  expect(contact).toMatchObject({
    kind: "CONTACT",
    subject: "Mary Somerville",
    actorName: expect.stringMatching(/^Grace Hopper/),
    changes: [{ field: "First Name", before: null, after: "Mary" }],
  });
  expect(refused).toMatchObject({ subject: "HOME-PC", tone: "REFUSED", licenceId: licence.id });
  expect(run).toMatchObject({
    subject: "LAPTOP-ADA",
    count: 12,
    at: daysAgo(20).toISOString(),
    lastAt: addMilliseconds(daysAgo(20), 30 * MINUTE).toISOString(),
    supportCode: `Professional ${licence.supportCode}`,
  });
});

test("pages through events with the same time without gaps or duplicates", async () => {
  const busy = await createUser(app, { registeredAt: daysAgo(9), emailConfirmedAt: daysAgo(9) });
  const licences = [
    await createLicence(app, busy, { createdAt: daysAgo(8) }),
    await createLicence(app, busy, { createdAt: daysAgo(8) }),
  ];
  const moment = daysAgo(4);
  for (const one of licences)
    for (let n = 0; n < 8; n++) await createEvent(one, n < 5 ? moment : addMilliseconds(moment, n * HOUR));
  await signInAs(app, busy);
  const all = (await readTimeline(busy.id)).rows;
  expect(all).toHaveLength(19);
  const moments = all.map(({ at }) => at);
  expect(moments).toEqual(moments.toSorted().toReversed());
  for (const first of [1, 3, 7])
    expect(await readAllPages((after) => readTimeline(busy.id, { first, after }))).toEqual(all);
});

test("filters by kind and user", async () => {
  const kinds = ["CONTACT", "INVOICE"];
  expect((await readTimeline(ada.id, { kinds })).rows.map(({ kind }) => kind)).toEqual(["INVOICE", "CONTACT"]);
  expect((await readTimeline(ada.id, { kinds: [] })).rows).toHaveLength(12);
  const continued = await readTimeline(ada.id, { kinds: ["LICENCE"], first: 2 });
  const rest = await readTimeline(ada.id, { kinds: ["LICENCE"], first: 2, after: continued.endCursor });
  expect([...continued.rows, ...rest.rows]).toHaveLength(3);
  expect((await readTimeline((await createUser(app)).id)).rows.map(({ kind }) => kind)).toEqual(["ACCOUNT", "ACCOUNT"]);
});

test("rejects invalid cursors and searches", async () => {
  const cursor = (text: string) => Buffer.from(text).toString("base64url");
  for (const variables of [
    { after: "nonsense" },
    { after: cursor("1.event:' or 1=1") },
    { after: cursor("99999999999999999999.event:1") },
  ])
    await expect(readTimeline(ada.id, variables)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  const long = readTimeline(ada.id, { search: "x".repeat(201) });
  await expect(long).rejects.toMatchObject({ fields: { search: [expect.any(String)] } });
});

const searchRows = async (search: string) => (await readTimeline(ada.id, { search })).rows;

test("searches titles, machines, authors and changed values, ignoring case", async () => {
  expect(await searchRows("laptop-ada")).toEqual([expect.objectContaining({ subject: "LAPTOP-ADA" })]);
  expect(await searchRows("SOMERVILLE hopper")).toEqual([expect.objectContaining({ subject: "Mary Somerville" })]);
  expect(await searchRows("no such text")).toEqual([]);
});

test("continues after the last match and returns every match once", async () => {
  const all = await searchRows("hopper");
  expect(all.length).toBeGreaterThan(1);
  const found: Entry[] = [];
  let after: string | null = null;
  for (let index = 0; index < all.length; index++) {
    const part: Part = await readTimeline(ada.id, { search: "hopper", first: 1, after });
    found.push(...part.rows);
    after = part.endCursor;
  }
  expect([found, after]).toEqual([all, null]);
});
