import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { RecordedChange } from "#api/audit/change-log/record-change.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import { buildUsersCsv, checkFile, processRun } from "#tests/factories/bulk.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordChangeAt } from "#tests/support/audit.ts";
import { readAllPages } from "#tests/support/read-all-pages.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const grace = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
const alan = await createAdmin(app, { firstName: "Alan", lastName: "Turing" });
const token = await signInAs(app, grace);
const ada = await createUser(app, { firstName: "Zaida", lastName: "Lövgren", companyName: "Northern Tunnels" });
const now = app.clock.now();

type Change = Omit<RecordedChange, "userId"> & { userId?: null };
const recordTestChange = (actor: User, minutesAgo: number, change: Change) =>
  recordChangeAt(app, actor, addMilliseconds(now, -minutesAgo * MINUTE), { userId: ada.id, ...change });

const user = { type: "user", id: ada.id, name: "Zaida Lövgren" } as const;
const licenceId = randomUUID();

await recordTestChange(grace, 10, {
  action: "update-user",
  subject: user,
  before: { firstName: "Zaide", isTester: false, memberType: 1, postCode: "4000" },
  after: { firstName: "Zaida", isTester: true, memberType: 2, postCode: "4000" },
});
await recordTestChange(alan, 20, {
  action: "update-licence",
  subject: { type: "licence", id: licenceId, name: "S-7K3QMX9D" },
  before: { expiresAt: "2026-03-09T04:05:00.000Z", projectTerm: "" },
  after: { expiresAt: "2027-03-09T04:05:00.000Z", projectTerm: "Stage 2" },
});
await recordTestChange(alan, 2 * 24 * 60, {
  action: "delete-promo-code",
  userId: null,
  subject: { type: "promo-code", id: randomUUID(), name: "WELCOME10" },
  before: { code: "WELCOME10" },
});

type Log<Row> = { rows: Row[]; endCursor: string | null };
const fields = "id action what actorName subjectName ip changes { field before after } user { id lastName }";
const readLog = (filter: object = {}, part: object = {}): Promise<Log<{ id: string; action: string }>> =>
  app.call(`auditLog { rows { ${fields} } endCursor }`, { filter, first: 50, ...part }, token);

const listActions = async (filter: Record<string, unknown>) => (await readLog(filter)).rows.map(({ action }) => action);

test("lists changes newest first with admin, action, subject and changed fields", async () => {
  const { rows, endCursor } = await readLog();
  expect(endCursor).toBeNull();
  expect(rows).toMatchObject([
    {
      what: "Updated the user",
      actorName: expect.stringMatching(/^Grace Hopper </),
      subjectName: "Zaida Lövgren",
      ip: "203.0.113.9",
      user: { id: ada.id, lastName: "Lövgren" },
      changes: [
        { field: "First Name", before: "Zaide", after: "Zaida" },
        { field: "Tester", before: "No", after: "Yes" },
        { field: "User type", before: "Regular", after: "Corporate" },
      ],
    },
    {
      what: "Updated a licence",
      subjectName: "S-7K3QMX9D",
      changes: [
        { field: "Expiry Date", before: "09/03/2026 04:05 UTC", after: "09/03/2027 04:05 UTC" },
        { field: "Project term", before: null, after: "Stage 2" },
      ],
    },
    { what: "Deleted a promo code", user: null, changes: [{ field: "Code", before: "WELCOME10", after: null }] },
  ]);
});

test("lists all admins, and filters by admin, action and date", async () => {
  expect(await app.call("auditActors { id name }", {}, token)).toEqual([
    { id: alan.id, name: `Alan Turing <${alan.email}>` },
    { id: grace.id, name: `Grace Hopper <${grace.email}>` },
  ]);
  expect(await listActions({ actorId: alan.id })).toEqual(["UPDATE_LICENCE", "DELETE_PROMO_CODE"]);
  expect(await listActions({ action: "UPDATE_USER" })).toEqual(["UPDATE_USER"]);
  const yesterday = addMilliseconds(now, -DAY).toISOString();
  expect(await listActions({ from: yesterday })).toEqual(["UPDATE_USER", "UPDATE_LICENCE"]);
  expect(await listActions({ to: yesterday })).toEqual(["DELETE_PROMO_CODE"]);
  const twoDaysAgo = addMilliseconds(now, -2 * DAY).toISOString();
  const [day] = twoDaysAgo.split("T");
  // A date without a time includes the whole day.
  expect(await listActions({ from: day, to: day })).toEqual(["DELETE_PROMO_CODE"]);
  // A time without a fraction includes the whole second.
  const second = `${twoDaysAgo.slice(0, 19)}Z`;
  expect(await listActions({ from: second, to: second })).toEqual(["DELETE_PROMO_CODE"]);
  expect(await listActions({ actorId: grace.id, action: "UPDATE_LICENCE" })).toEqual([]);
  expect(await listActions({ actorId: "nobody" })).toEqual([]);
  for (const bulkRunId of [randomUUID(), "x"]) expect(await listActions({ bulkRunId })).toEqual([]);
});

test("searches by subject, support code, user or id", async () => {
  expect(await listActions({ search: "welc" })).toEqual(["DELETE_PROMO_CODE"]);
  expect(await listActions({ search: "7k3qmx9d" })).toEqual(["UPDATE_LICENCE"]);
  expect(await listActions({ search: "zaida lövg" })).toEqual(["UPDATE_USER", "UPDATE_LICENCE"]);
  expect(await listActions({ search: "northern" })).toEqual(["UPDATE_USER", "UPDATE_LICENCE"]);
  expect(await listActions({ search: ada.id })).toEqual(["UPDATE_USER", "UPDATE_LICENCE"]);
  expect(await listActions({ search: licenceId.toUpperCase() })).toEqual(["UPDATE_LICENCE"]);
  for (const search of ["%", "!!", "' or 1=1", "nobody", "a:* | b", "<->", "\\"])
    expect(await listActions({ search }), search).toEqual([]);
});

test("pages through entries with the same time without gaps or duplicates", async () => {
  for (let n = 0; n < 7; n++) await recordTestChange(alan, 60, { action: "archive-user", subject: user });
  const seen = await readAllPages((after) => readLog({ actorId: alan.id }, { first: 2, after }));
  expect(seen).toEqual((await readLog({ actorId: alan.id })).rows);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(9);
});

test("loads the users for a page in one statement", async () => {
  const few = await recordStatements(() => readLog({}, { first: 1 }));
  expect(await recordStatements(() => readLog({}, { first: 9 }))).toEqual(few);
});

test("rejects invalid dates and cursors", async () => {
  for (const [filter, part] of [
    [{ from: "30/02/2026" }, {}],
    [{ to: "2026-02-30" }, {}],
    [{ search: "a\u0000" }, {}],
    [{}, { after: "nonsense" }],
    [{}, { after: Buffer.from("1.' or 1=1 --").toString("base64url") }],
    [{}, { after: Buffer.from(`1.${"-".repeat(36)}`).toString("base64url") }],
  ] as const)
    await expect(readLog(filter, part)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

test("records a new minimum version only if it differs", async () => {
  await publishTestBuild(app, "7.4.0");
  for (const version of ["7.3", "7.3", null])
    await app.call("setMinimumAddInVersion { stage }", { stage: "PRODUCTION", version }, token);
  const { rows } = await readLog({ action: "SET_MINIMUM_VERSION" });
  expect(rows).toMatchObject([
    { subjectName: "Production", changes: [{ field: "Minimum version", before: "7.3.0", after: null }] },
    { actorName: expect.stringMatching(/^Grace/), changes: [{ before: null, after: "7.3.0" }] },
  ]);
});

type Row = { id: string; bulkRunId: string | null; bulkRunName: string | null; runEntryCount: number | null };
function readGrouped(filter: object = {}, part: object = {}): Promise<Log<Row>> {
  const variables = { filter, first: 50, groupRuns: true, ...part };
  return app.call("auditLog { rows { id bulkRunId bulkRunName runEntryCount } endCursor }", variables, token);
}
async function importUsers(count: number, prefix: string) {
  const { id } = await checkFile(app, token, `kind=import-users&fileName=${prefix}.csv`, buildUsersCsv(count, prefix));
  await processRun(app, token, id);
  return id;
}

test("groups the entries of a run into one row with an exact count", async () => {
  const [first, second] = [await importUsers(7, "group-one"), await importUsers(3, "group-two")];
  const { rows } = await readGrouped();
  const runs = rows.filter(({ bulkRunId }) => bulkRunId !== null);
  // The start of a run is an entry too.
  expect(runs.map(({ bulkRunId, runEntryCount }) => [bulkRunId, runEntryCount])).toEqual([
    [second, 4],
    [first, 8],
  ]);
  expect(runs[1]?.bulkRunName).toMatch(/^Import users: group-one/);
  expect((await readLog({ bulkRunId: first })).rows).toHaveLength(8);
  const others = (await readLog()).rows.filter(({ action }) => !["CREATE_USER", "START_BULK_RUN"].includes(action));
  const single = rows.filter(({ bulkRunId }) => bulkRunId === null);
  expect(single.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
});

test("counts only the entries that match the other filters, and pages through groups and single entries without gaps or repetitions", async () => {
  const countMatching = async (action: string) =>
    (await readGrouped({ action })).rows.map(({ runEntryCount }) => runEntryCount);
  expect([await countMatching("CREATE_USER"), await countMatching("START_BULK_RUN")]).toEqual([
    [3, 7],
    [1, 1],
  ]);
  const { rows } = await readGrouped();
  expect(await readAllPages((after) => readGrouped({}, { first: 1, after }))).toEqual(rows);
});
