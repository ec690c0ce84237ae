import { expect, test } from "vitest";
import { buildUserListStatement, type Statement, type UserListPage } from "#api/staff/users/list-users-statement.ts";
import {
  isCommonSearch,
  readWordFrequencies,
  type SearchStrategy,
  chooseSearchStrategy,
  type WordFrequencies,
} from "#api/staff/users/search-strategy.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { userSorts } from "#schema/user-list.ts";
import { createUser } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;
const strategies: readonly SearchStrategy[] = ["planned", "looked-up", "walked"];
const newest = { sortBy: "DATE_JOINED", descending: true, offset: 0, limit: 10 } as const;

// One user in twenty has the word "group", and a single user has "zephyr".
await createUser(app, { firstName: "Ada", lastName: "Byron", companyName: "Zephyr Tunnelling" });
await copyRow(pool, "users", {
  times: 3_000,
  differing: `'confirmation_handle', gen_random_uuid(), 'email', 'p' || n || '@example.com',
    'sign_in_email', 'p' || n || '@example.com', 'first_name', 'Person' || n % 7,
    'registered_at', now() - (n % 50) * interval '1 day',
    'company_name', case when n % 20 = 0 then 'Rail Group' else 'Rail Works' end`,
});
await pool.query("analyze users");

const daysAgo = (days: number) => addMilliseconds(app.clock.now(), -days * DAY);
const queryRows = async ({ text, values }: Statement) => (await pool.query<Record<string, unknown>>(text, values)).rows;
const explain = async (statement: Statement) =>
  (await queryRows({ ...statement, text: `explain ${statement.text}` })).map((row) => row["QUERY PLAN"]).join("\n");

test("finds the same rows in the same order with every strategy", async () => {
  for (const sortBy of userSorts)
    for (const search of ["group", "zephyr", "nobody", '"rail group" person3', "p1"])
      for (const offset of [0, 7, 120]) {
        const part: UserListPage = { sortBy, descending: offset !== 7, offset, limit: 10 };
        for (const wanted of [
          { search },
          { search, userTypes: [1], joinedFrom: daysAgo(30), joinedBefore: daysAgo(3) },
        ]) {
          const findIds = async (strategy: SearchStrategy) =>
            (await queryRows(buildUserListStatement(wanted, part, "u.id", strategy))).map(({ id }) => id);
          const expected = await findIds("planned");
          for (const strategy of strategies)
            expect([wanted, part, strategy, await findIds(strategy)]).toEqual([wanted, part, strategy, expected]);
        }
      }
});

test("uses the word index for looked-up searches and the list index for walked searches", async () => {
  const filtered = { search: "zephyr", userTypes: [1], joinedFrom: daysAgo(365), joinedBefore: daysAgo(0) };
  for (const wanted of [{ search: "zephyr" }, filtered])
    expect(await explain(buildUserListStatement(wanted, newest, `u."id"`, "looked-up"))).toMatch(/users_search/);
  const walk = await explain(buildUserListStatement({ search: "group" }, newest, `u."id"`, "walked"));
  expect(walk).toMatch(/users_by_joined|users_newest/);
  expect(walk).not.toMatch(/users_search|Sort/);
});

test("reuses a query plan for every strategy without filters except `planned`, and with filters only for `looked-up`", () => {
  const keeps = (wanted: object, strategy: SearchStrategy) =>
    buildUserListStatement(wanted, newest, "u.id", strategy).keepsPlan;
  const year = { joinedFrom: daysAgo(365), userTypes: [1, 2] };
  const kept = [keeps({}, "planned"), keeps({ search: "a" }, "looked-up"), keeps({ search: "a" }, "walked")];
  expect([...kept, keeps({ search: "a", ...year }, "looked-up")]).toEqual([true, true, true, true]);
  const planned = [keeps({ search: "a" }, "planned"), keeps(year, "planned")];
  expect([...planned, keeps({ search: "a", ...year }, "walked")]).toEqual([false, false, false]);
});

test("uses only the word index in the generic plan for a looked-up search with filters", async () => {
  const filtered = { search: "zephyr", userTypes: [1, 2], joinedFrom: daysAgo(365), joinedBefore: daysAgo(0) };
  const { text } = buildUserListStatement(filtered, newest, `u."id"`, "looked-up");
  const plan = JSON.stringify(await queryRows({ text: `explain (generic_plan) ${text}`, values: [] }));
  expect(plan).toMatch(/Bitmap Index Scan on users_search/);
  expect(plan).not.toMatch(/users_by_joined|users_newest|BitmapAnd|Seq Scan/);
});

test("chooses a strategy from the statistics once they are loaded", async () => {
  const context = app.context();
  chooseSearchStrategy(context, { search: "group" }, newest);
  await expect.poll(() => chooseSearchStrategy(context, { search: "rail" }, newest)).toBe("walked");
  const byCompany = { ...newest, sortBy: "COMPANY" } as const;
  // The type and date filters that the portal always sends.
  const filter = { userTypes: [1, 2, 3], joinedFrom: daysAgo(365), joinedBefore: daysAgo(0) };
  for (const [wanted, order, strategy] of [
    [{ search: "zephyr" }, newest, "looked-up"],
    [{ search: "group" }, byCompany, "looked-up"],
    [{ search: "rail" }, byCompany, "walked"],
    [{ search: "zephyr", ...filter }, newest, "looked-up"],
    [{ search: "zephyr", ...filter }, byCompany, "looked-up"],
    [{ search: "rail", ...filter }, newest, "walked"],
    [{ search: "rail", ...filter }, byCompany, "walked"],
    [{ search: "group", ...filter }, byCompany, "looked-up"],
    [{ search: "" }, newest, "planned"],
    [filter, newest, "planned"],
  ] as const)
    expect([wanted, chooseSearchStrategy(context, wanted, order)]).toEqual([wanted, strategy]);
});

test("reads word frequencies from PostgreSQL's statistics", async () => {
  const shares = await readWordFrequencies(pool);
  expect(shares?.users).toBe(3_001);
  const getShare = (word: string) => shares?.shares[shares.words.indexOf(word)] ?? 0;
  expect(getShare("rail")).toBeGreaterThan(0.9);
  expect(getShare("group")).toBeCloseTo(0.05, 1);
  expect(shares?.words).toEqual(shares?.words.toSorted());
});

test("treats a search as common only if walking the list is faster", () => {
  const shares: WordFrequencies = { users: 100_000, words: ["group", "groups", "rail"], shares: [0.01, 0.005, 0.5] };
  // Independent words would match 2% of users, but the words may never occur together.
  const both: WordFrequencies = { users: 100_000, words: ["pty", "rail"], shares: [0.04, 0.5] };
  for (const [given, search, rows, isCommon] of [
    [shares, "group", 10, true],
    [shares, "rail", 1_000, true],
    [both, "pty", 10, true],
    [shares, '"groups"', 10, false],
    [shares, "group", 25_000, false],
    [shares, "rail group", 10, false],
    [shares, "zephyr", 10, false],
    [both, "pty rail", 10, false],
    [both, '"rail pty"', 10, false],
  ] as const)
    expect([search, rows, isCommonSearch(given, search, rows)]).toEqual([search, rows, isCommon]);
});
