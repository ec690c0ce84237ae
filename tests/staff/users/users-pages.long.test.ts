import { beforeAll, describe, expect, test } from "vitest";
import {
  buildUserCountStatement,
  buildUserListStatement,
  type Statement,
} from "#api/staff/users/list-users-statement.ts";
import { userSorts } from "#schema/user-list.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { readAllPages } from "#tests/support/read-all-pages.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openUserList } from "./list-users.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
await createUser(app);
await createUser(app);
await createCorporateUser(app);
await createUser(app, { deletedAt: new Date() });

const { users, getError } = openUserList(app, () => admin);

const MANY = 12_000;

beforeAll(async () => {
  // Inserts in batches, so that no statement exceeds its time limit on a busy machine.
  for (let first = 1; first <= MANY; first += 1_000)
    await app.services.pool.query(
      `insert into users (id, confirmation_handle, first_name, last_name, email, sign_in_email, password_hash, mobile, company_name,
                            registered_at, email_confirmed_at, archived_at, member_type)
         select gen_random_uuid(), gen_random_uuid(), 'First' || n % 7, 'Last' || n % 11, 'many' || n || '@x.example',
                'many' || n || '@x.example', '-',
                '', 'Crowd', timestamptz '2010-01-01' + n / 3 * interval '1 minute',
                case when n % 5 > 0 then now() end, case when n % 4 = 0 then now() end, 1
           from generate_series($1::int, $1::int + 999) n`,
      [first],
    );
  await app.services.pool.query("vacuum analyze users");
});

describe.each([
  ["in one SQL statement", ""],
  // A field without an SQL plan sends the whole query to the resolvers.
  ["by resolvers", "__typename"],
])("totals counted %s", (_, extra) => {
  const totals = async (filter: Record<string, unknown>) => {
    const page = await users(filter, `${extra} total isTotalCapped exactTotal: total(isExact: true)`);
    return { total: page.total, isTotalCapped: page.isTotalCapped, exactTotal: page.exactTotal };
  };
  test("are capped at 10,000, but exact on request", async () => {
    const all = 12_000 + 4;
    expect(await totals({ first: 1 })).toEqual({ total: 10_000, isTotalCapped: true, exactTotal: all });
    const crowd = { total: 10_000, isTotalCapped: true, exactTotal: 12_000 };
    expect(await totals({ search: "many", first: 1 })).toEqual(crowd);
    expect(await totals({ search: "many", first: 10, fromEnd: true })).toEqual(crowd);
    expect(await totals({ userTypes: ["CORPORATE"], first: 1 })).toEqual({
      total: 1,
      isTotalCapped: false,
      exactTotal: 1,
    });
  });
});

test("reaches every user by offset, including the last one", async () => {
  const search = "crowd";
  const middle = await users({ search, offset: 11_000, first: 5 });
  expect((await users({ search, fromEnd: true, offset: 995, first: 5 })).rows).toEqual(middle.rows);
  expect((await users({ search, offset: 11_999, first: 5 })).rows).toEqual(
    (await users({ search, fromEnd: true, offset: 0, first: 1 })).rows,
  );
});

test("returns all users in pages and the total over POST /v1/users/filter", async () => {
  const body = { startDate: "2000-01-01", endDate: "2099-12-31" };
  const ids: string[] = [];
  let pages = 0;
  for (let path: string | undefined = "/v1/users/filter"; path; pages++) {
    const { status, json, headers } = await app.rest("POST", path, { body, token: admin });
    expect([status, headers.get("x-total-count")]).toEqual([200, "12004"]);
    ids.push(...(json as { id: string }[]).map(({ id }) => id));
    path = /^<(.+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
  }
  expect([pages, ids.length, new Set(ids).size]).toEqual([2, 12_004, 12_004]);
  const { status, json } = await app.rest("POST", "/v1/users/filter?after=nonsense", { body, token: admin });
  expect({ status, json }).toEqual({
    status: 400,
    json: { after: ["This cursor isn't valid for the user list in this order."] },
  });
});

test.each(userSorts)("returns every user once by cursor and from the end when sorted by %s", async (sortBy) => {
  const filter = { search: "crowd last3 first2", by: sortBy, first: 40 };
  const whole: unknown[] = [];
  for (let offset = 0; offset < 200; offset += 40) whole.push(...(await users({ ...filter, offset })).rows);
  const paged = await readAllPages((after) => users({ ...filter, after }));
  expect(paged).toHaveLength(156);
  expect(paged).toEqual(whole);
  const { endCursor } = await users({ ...filter, first: 10 });
  expect((await users({ ...filter, after: endCursor, offset: 25, first: 5 })).rows).toEqual(paged.slice(35, 40));
  const fromEnd = (offset: number, first: number) => users({ ...filter, fromEnd: true, offset, first });
  expect([(await fromEnd(0, 16)).rows, (await fromEnd(116, 20)).rows]).toEqual([whole.slice(140), whole.slice(20, 40)]);
  const before = await fromEnd(16, 20);
  expect((await users({ ...filter, after: before.endCursor, first: 20 })).rows).toEqual(whole.slice(140));
});

test("rejects cursors combined with fromEnd, from another sort order and malformed ones", async () => {
  const { endCursor } = await users({ by: "EMAIL", first: 1 });
  const combined = await getError({ by: "EMAIL", after: endCursor, fromEnd: true });
  expect(combined?.fields).toEqual({ fromEnd: ["Use either after or fromEnd."] });
  const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  const id = "00000000-0000-4000-8000-000000000000";
  for (const after of [
    endCursor,
    "x",
    ...["2020-13-01 00:00:00", "2020-01-01", "2020-01-01 24:00:00", "2020-01-01T00:00+23:59", "infinity"].map(
      (moment) => encode(["DATE_JOINED", id, moment]),
    ),
    encode(["DATE_JOINED", id]),
    encode(["DATE_JOINED", "x", "2020-01-01 00:00:00"]),
    encode(["FIRST_NAME", id, "a\u0000"]),
    encode({ 0: "DATE_JOINED" }),
    encode(null),
  ])
    expect((await getError({ after }))?.code, String(after)).toBe("BAD_USER_INPUT");
  for (const moment of ["0001-01-01 00:00:00", "2020-02-29 23:59:59.000001", "9999-12-31 23:59:59.9"])
    expect(await getError({ after: encode(["DATE_JOINED", id, moment]) })).toBeUndefined();
  expect((await getError({ by: "FIRST_NAME", after: encode(["FIRST_NAME", id, "a\u0000"]) }))?.code).toBe(
    "BAD_USER_INPUT",
  );
});

async function explain({ text, values }: Statement): Promise<string> {
  const { rows } = await app.services.pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("uses an index for every order, filter and rare word", async () => {
  const first = { offset: 0, limit: 10 };
  const year = { joinedFrom: new Date("2010-01-02"), joinedBefore: new Date("2010-01-03") };
  for (const sortBy of userSorts)
    for (const descending of [true, false])
      expect(await explain(buildUserListStatement({}, { ...first, sortBy, descending }, "u.id", "planned"))).toMatch(
        // Only the ten resulting rows may be sorted.
        /Limit.*\n +-> +Index[^\n]*users_by_\w+[^]*$/,
      );
  const newest = { ...first, sortBy: "DATE_JOINED", descending: true } as const;
  const planOf = (wanted: object) => explain(buildUserListStatement(wanted, newest, "u.id", "planned"));
  expect(await planOf(year)).not.toContain("Seq Scan");
  expect(await planOf({ userTypes: [3] })).toMatch(/users_by_type/);
  expect(await planOf({ search: "hopper" })).toMatch(/users_search/);
  expect(await explain(buildUserCountStatement({ search: "hopper" }))).toMatch(/users_search/);
});
