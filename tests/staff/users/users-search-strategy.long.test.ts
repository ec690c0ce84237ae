import { beforeAll, describe, expect, test } from "vitest";
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
beforeAll(async () => {
  await createUser(app, { firstName: "Ada", lastName: "Byron", companyName: "Zephyr Tunnelling" });
  await copyRow(pool, "users", {
    times: 3_000,
    differing: `'confirmation_handle', gen_random_uuid(), 'email', 'p' || n || '@example.com',
      'sign_in_email', 'p' || n || '@example.com', 'first_name', 'Person' || n % 7,
      'registered_at', now() - (n % 50) * interval '1 day',
      'company_name', case when n % 20 = 0 then 'Rail Group' else 'Rail Works' end`,
  });
  await pool.query("analyze users");
});

const daysAgo = (days: number) => addMilliseconds(app.clock.now(), -days * DAY);
const queryRows = async ({ text, values }: Statement) => (await pool.query<Record<string, unknown>>(text, values)).rows;
const explain = async (statement: Statement) =>
  (await queryRows({ ...statement, text: `explain ${statement.text}` })).map((row) => row["QUERY PLAN"]).join("\n");

describe("user search", () => {
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
    expect(await explain(buildUserListStatement({ search: "zephyr" }, newest, `u."id"`, "looked-up"))).toMatch(
      /users_search/,
    );
    const filtered = { search: "zephyr", userTypes: [1], joinedFrom: daysAgo(365), joinedBefore: daysAgo(0) };
    expect(await explain(buildUserListStatement(filtered, newest, `u."id"`, "looked-up"))).toMatch(/users_search/);
    const walk = await explain(buildUserListStatement({ search: "group" }, newest, `u."id"`, "walked"));
    expect(walk).toMatch(/users_by_joined|users_newest/);
    expect(walk).not.toMatch(/users_search|Sort/);
  });

  test("reuses a query plan for every strategy without filters except `planned`, and with filters only for `looked-up`", () => {
    const keeps = (wanted: object, strategy: SearchStrategy) =>
      buildUserListStatement(wanted, newest, "u.id", strategy).keepsPlan;
    const year = { joinedFrom: daysAgo(365), userTypes: [1, 2] };
    expect([keeps({}, "planned"), keeps({ search: "a" }, "looked-up"), keeps({ search: "a" }, "walked")]).toEqual([
      true,
      true,
      true,
    ]);
    expect(keeps({ search: "a", ...year }, "looked-up")).toBe(true);
    expect([
      keeps({ search: "a" }, "planned"),
      keeps(year, "planned"),
      keeps({ search: "a", ...year }, "walked"),
    ]).toEqual([false, false, false]);
  });

  test("uses only the word index in the generic plan for a looked-up search with filters", async () => {
    const filtered = { search: "zephyr", userTypes: [1, 2], joinedFrom: daysAgo(365), joinedBefore: daysAgo(0) };
    const { text } = buildUserListStatement(filtered, newest, `u."id"`, "looked-up");
    const plan = (await queryRows({ text: `explain (generic_plan) ${text}`, values: [] }))
      .map((row) => row["QUERY PLAN"])
      .join("\n");
    expect(plan).toMatch(/Bitmap Index Scan on users_search/);
    expect(plan).not.toMatch(/users_by_joined|users_newest|BitmapAnd|Seq Scan/);
  });
});

describe("search strategy", () => {
  test("chooses a strategy from the statistics once they are loaded", async () => {
    const context = app.context();
    chooseSearchStrategy(context, { search: "group" }, newest);
    await expect.poll(() => chooseSearchStrategy(context, { search: "rail" }, newest)).toBe("walked");
    expect(chooseSearchStrategy(context, { search: "zephyr" }, newest)).toBe("looked-up");
    expect(chooseSearchStrategy(context, { search: "group" }, { ...newest, sortBy: "COMPANY" })).toBe("looked-up");
    expect(chooseSearchStrategy(context, { search: "rail" }, { ...newest, sortBy: "COMPANY" })).toBe("walked");
    // With the type and date filters that the portal always sends.
    const filter = { userTypes: [1, 2, 3], joinedFrom: daysAgo(365), joinedBefore: daysAgo(0) };
    expect(chooseSearchStrategy(context, { search: "zephyr", ...filter }, newest)).toBe("looked-up");
    expect(chooseSearchStrategy(context, { search: "zephyr", ...filter }, { ...newest, sortBy: "COMPANY" })).toBe(
      "looked-up",
    );
    expect(chooseSearchStrategy(context, { search: "rail", ...filter }, newest)).toBe("walked");
    expect(chooseSearchStrategy(context, { search: "rail", ...filter }, { ...newest, sortBy: "COMPANY" })).toBe(
      "walked",
    );
    expect(chooseSearchStrategy(context, { search: "group", ...filter }, { ...newest, sortBy: "COMPANY" })).toBe(
      "looked-up",
    );
    expect(chooseSearchStrategy(context, { search: "" }, newest)).toBe("planned");
    expect(chooseSearchStrategy(context, filter, newest)).toBe("planned");
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
    expect(isCommonSearch(shares, "group", 10)).toBe(true);
    expect(isCommonSearch(shares, '"groups"', 10)).toBe(false);
    expect(isCommonSearch(shares, "group", 25_000)).toBe(false);
    expect(isCommonSearch(shares, "rail group", 10)).toBe(false);
    // Independent words would match 2% of users, but the words may never occur together.
    const both: WordFrequencies = { users: 100_000, words: ["pty", "rail"], shares: [0.04, 0.5] };
    expect([
      isCommonSearch(both, "pty", 10),
      isCommonSearch(both, "pty rail", 10),
      isCommonSearch(both, '"rail pty"', 10),
    ]).toEqual([true, false, false]);
    expect(isCommonSearch(shares, "zephyr", 10)).toBe(false);
    expect(isCommonSearch(shares, "rail", 1_000)).toBe(true);
  });
});
