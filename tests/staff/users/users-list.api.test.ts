import { beforeAll, describe, expect, test } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { getCalendarDay, vendorTimeName } from "#schema/days.ts";
import { userExportColumns, type UserSort } from "#schema/user-list.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openUserList } from "./list-users.ts";

const app = await startTestApp();
const rootAdmin = await createAdmin(app, { firstName: "Root", lastName: "Admin", companyName: "Vendor" });
const admin = await signInAs(app, rootAdmin);

const userData = {
  zoe: {
    firstName: "Zoë",
    lastName: "O'Brien",
    companyName: "Coast-Rail Projects",
    email: "zoe.planner@coast.example",
    mobile: "0412 345 678",
    registeredAt: new Date("2020-03-01T23:30:00Z"),
  },
  ada: {
    firstName: "Ada",
    lastName: "Byron",
    companyName: "Analytical Planning 2000",
    position: "Chief Estimator",
    email: "ada@engines.example",
    mobile: "+61 400 111 222",
    abn: "51 824 753 556",
    registeredAt: new Date("2020-03-02T08:00:00Z"),
  },
  grace: {
    firstName: "Grace",
    lastName: "Hopper",
    companyName: "Byron Shipping",
    email: "grace@ships.example",
    mobile: "(07) 3000 4000",
    registeredAt: new Date("2020-03-03T00:00:00Z"),
    emailConfirmedAt: null,
    archivedAt: new Date("2020-04-01T00:00:00Z"),
  },
} as const;

for (const data of Object.values(userData).slice(0, 2)) await createUser(app, data as never);
await createCorporateUser(app, userData.grace as never);
await createUser(app, { firstName: "Deleted", lastName: "User", email: "gone@x.example", deletedAt: new Date() });

const { users, getError } = openUserList(app, () => admin);
const names = async (filter: Record<string, unknown>) => (await users(filter)).rows.map(({ firstName }) => firstName);

test("searches words, phrases and numbers", async () => {
  const cases: [description: string, search: string, found: string[]][] = [
    ["the start of a word", "byr", ["Grace", "Ada"]],
    ["not the middle of a word", "yron", []],
    ["all words, in any field and order", "shipping gra", ["Grace"]],
    ["without regard to accents and case", "ZOE", ["Zoë"]],
    ["accented search text", "hoppér", ["Grace"]],
    ["a word with an apostrophe", "o'brien", ["Zoë"]],
    ["the part after an apostrophe", "brien", ["Zoë"]],
    ["a word after a hyphen", "rail", ["Zoë"]],
    ["a full email address", "zoe.planner@coast.example", ["Zoë"]],
    ["the start of an email address", "zoe.planner@coa", ["Zoë"]],
    ["a word of an email address", "coast", ["Zoë"]],
    ["a word of the position", "estim", ["Ada"]],
    ["only whole words for a quoted word", '"byro"', []],
    ["only whole words in a phone's quotation marks", "“byro”", []],
    ["a quoted word", '"byron"', ["Grace", "Ada"]],
    ["adjacent quoted words", '"ada byron"', ["Ada"]],
    ["no quoted words in another order", '"byron ada"', []],
    ["no quoted words across two fields", '"byron analytical"', []],
    ["an unclosed quotation", '"byron ship', []],
    ["a number without separators", "0412345678", ["Zoë"]],
    ["the start of a number", "04123", ["Zoë"]],
    ["a number with the stored separators", "0412 345 678", ["Zoë"]],
    ["a number with other separators", "0412-345-678", ["Zoë"]],
    ["a number with other groups", "04 1234 5678", ["Zoë"]],
    ["a number with a word processor's dashes", "0400–111‑222", ["Ada"]],
    ["a number from a later group", "345678", ["Zoë"]],
    ["no number from within a group", "412345", []],
    ["a number with a country code that is stored without one", "+61 412 345 678", ["Zoë"]],
    ["a number without a country code that is stored with one", "0400 111 222", ["Ada"]],
    ["a number stored with brackets", "0730004000", ["Grace"]],
    ["only whole numbers for a quoted number", '"041234567"', []],
    ["a quoted number", '"0412345678"', ["Zoë"]],
    ["an ABN without spaces", "51824753556", ["Ada"]],
    ["words and numbers together", "ada 2000", ["Ada"]],
    ["no tsquery operators", "byron & !ada | zoe:*", []],
    ["text with a backslash and a quote", "\\ ' ada", ["Ada"]],
  ];
  for (const [description, search, found] of cases) expect(await names({ search }), description).toEqual(found);
  // Text without words is ignored.
  expect((await users({ search: "- \" '" })).total).toBe(4);
});

test("filters by user types and registration date, and includes the whole last day", async () => {
  expect(await names({ userTypes: ["CORPORATE"] })).toEqual(["Grace"]);
  expect(await names({ userTypes: ["CORPORATE", "ADMIN"] })).toEqual(["Root", "Grace"]);
  expect(await names({ startDate: "2020-03-01", endDate: "2020-03-02" })).toEqual(["Ada", "Zoë"]);
  expect(await names({ startDate: "2020-03-01", endDate: "2020-03-01" })).toEqual(["Zoë"]);
  expect(await names({ endDate: "2020-03-02 08:00:00" })).toEqual(["Ada", "Zoë"]);
  expect(await names({ endDate: "2020-03-02 07:59:59" })).toEqual(["Zoë"]);
  // The end of a day, as the portal sends it.
  expect(await names({ endDate: "2020-03-02T07:59:59.999Z" })).toEqual(["Zoë"]);
  expect(await names({ startDate: "2020-03-03T10:00:00+10:00", endDate: "2020-03-03" })).toEqual(["Grace"]);
});

test("rejects no or unknown types, invalid dates and an end date before the start date", async () => {
  expect((await getError({ userTypes: [] }))?.fields).toEqual({ userTypes: ["At least 1 user type is required."] });
  expect((await getError({ userTypes: [4] }))?.code).toBe("BAD_USER_INPUT");
  expect((await getError({ startDate: "2020-02-30" }))?.fields).toEqual({ startDate: ["Must be a date."] });
  expect((await getError({ startDate: "2020-03-02", endDate: "2020-03-01" }))?.fields).toEqual({
    endDate: ["The end date can't be before the start date."],
  });
});

test("names the argument of a page that is too large or too far", async () => {
  const getFields = async (page: Record<string, number>) => (await getError(page))?.fields;
  expect(await getFields({ first: 101 })).toEqual({ first: ["Request at most 100 rows."] });
  expect(await getFields({ first: 0, offset: -1 })).toEqual({
    first: ["Request at least 1 row."],
    offset: ["Must be 0 or more."],
  });
});

test("includes archived users by default and never includes deleted users", async () => {
  expect(await names({ endDate: "2020-12-31" })).toEqual(["Grace", "Ada", "Zoë"]);
  expect(await names({ endDate: "2020-12-31", includeArchived: false })).toEqual(["Ada", "Zoë"]);
  expect(await names({ search: "deleted" })).toEqual([]);
});

test("sorts in both directions, and returns every user once in pages, by cursor and from the end", async () => {
  const orders: Record<Exclude<UserSort, "EMAIL">, string[]> = {
    FIRST_NAME: ["Ada", "Grace", "Root", "Zoë"],
    LAST_NAME: ["Root", "Ada", "Grace", "Zoë"],
    COMPANY: ["Ada", "Grace", "Zoë", "Root"],
    USER_TYPE: ["Zoë", "Ada", "Grace", "Root"],
    DATE_JOINED: ["Zoë", "Ada", "Grace", "Root"],
    ACTIVE: ["Grace", "Zoë", "Ada", "Root"],
    EMAIL_CONFIRMED: ["Grace", "Zoë", "Ada", "Root"],
  };
  for (const [by, order] of Object.entries(orders)) {
    expect(await names({ by, descending: true })).toEqual(order.toReversed());
    expect(await names({ by, descending: false })).toEqual(order);
    const { endCursor } = await users({ by, descending: false, first: 1 });
    expect(await names({ by, descending: false, after: endCursor, first: 2 })).toEqual(order.slice(1, 3));
    expect(await names({ by, descending: false, fromEnd: true, offset: 1, first: 2 })).toEqual(order.slice(1, 3));
  }
});

test("doesn't count a negative query cost for a negative limit", async () => {
  const expensive = "a: users(first: -100) { rows { contacts { id } licences { devices { id } } } }";
  const more = "users(first: 100) { rows { contacts { id } licences { devices { id } } } }";
  const many = Array.from({ length: 10 }, (_, n) => `b${n}: ${more}`).join(" ");
  const { errors } = await app.graphql(`{ ${expensive} ${many} }`, {}, admin);
  expect(errors?.[0]?.message).toMatch(/^Query too expensive: cost [\d,]+, limit 10,000\./);
});

const filter = (body: unknown) => app.rest("POST", "/v1/users/filter", { body, token: admin });

test("POST /v1/users/filter returns rows with their documented field names", async () => {
  const registeredAt = new Date("2019-05-06T07:08:09Z");
  const user = await createCorporateUser(app, { registeredAt, emailConfirmedAt: null });
  const body = { userTypes: [2], startDate: "2019-05-06 00:00:00", endDate: "2019-05-06 23:59:59" };
  const { status, json } = await filter(body);
  const { id, firstName, lastName, companyName, email, mobile } = user;
  const found = { id, firstName, lastName, companyName, email, mobile, userType: 2 };
  const row = { ...found, registationDate: "2019-05-06T07:08:09.000Z", isActive: true, emailConfirmed: false };
  expect({ status, json }).toEqual({ status: 200, json: [row] });
});

test("POST /v1/users/filter includes archived users, and all types if none are given", async () => {
  const now = app.clock.now().getTime();
  const archived = await createUser(app, { archivedAt: new Date(), registeredAt: new Date(now - 300 * DAY) });
  const old = await createUser(app, { registeredAt: new Date(now - 400 * DAY) });
  const days = { startDate: new Date(now - 365 * DAY).toISOString(), endDate: new Date(now + DAY).toISOString() };
  const { json, headers } = await filter(days);
  const found = json.map(({ email }: { email: string }) => email);
  expect(headers.get("x-total-count")).toBe(String(found.length));
  expect(headers.get("link")).toBeNull();
  for (const one of [archived.email, rootAdmin.email]) expect(found).toContain(one);
  expect(found).not.toContain(old.email);
});

test("POST /v1/users/filter requires dates, and returns errors by field", async () => {
  const missing = { startDate: ["Start date is required."], endDate: ["End date is required."] };
  for (const body of [{}, { startDate: null, endDate: null }, { startDate: " ", endDate: "" }])
    expect(await filter(body)).toMatchObject({ status: 400, json: missing });
  expect((await filter({ userTypes: [], startDate: "", endDate: "31/12/2020" })).json).toEqual({
    userTypes: ["At least 1 user type is required."],
    startDate: ["Start date is required."],
    endDate: ["Must be a date."],
  });
  expect((await filter({ startDate: 5, userTypes: "all" })).status).toBe(400);
});

describe("export of users", () => {
  const exportUsers = (body: object) => app.rest("POST", "/v1/users/export", { body, token: admin });
  const wanted = { columns: ["firstName", "lastName"], search: "Export Works" };

  beforeAll(async () => {
    await createUser(app, { firstName: "Ada", lastName: "Zuse", companyName: "Export Works", memberType: 2 });
    await createUser(app, { firstName: "=cmd()", lastName: 'Quote, "$1"', companyName: "Export Works" });
    const archived = { companyName: "Export Works", archivedAt: app.clock.now() };
    await createUser(app, { firstName: "Cy", lastName: "Élan", ...archived });
  });

  test("contains exactly the users of the list, in its order, with the chosen columns", async () => {
    const { status, headers, text } = await exportUsers({ ...wanted, sortBy: "FIRST_NAME", descending: true });
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(headers.get("content-disposition")).toContain(`filename="Users-${getCalendarDay(app.clock.now())}.csv"`);
    expect(text).toBe(`First Name,Last Name\r\nCy,Élan\r\nAda,Zuse\r\n'=cmd(),"Quote, ""$1"""\r\n`);
    const expected = `First Name,Last Name\r\n'=cmd(),"Quote, ""$1"""\r\nAda,Zuse\r\n`;
    expect((await exportUsers({ ...wanted, includeArchived: false, sortBy: "LAST_NAME" })).text).toBe(expected);
    expect((await exportUsers({ ...wanted, userTypes: [2] })).text).toBe("First Name,Last Name\r\nAda,Zuse\r\n");
    expect((await exportUsers({ ...wanted, endDate: "2001-01-01" })).text).toBe("First Name,Last Name\r\n");
    const hostile = await exportUsers({ columns: ["id"], search: "x'); drop table users; -- $1 $2" });
    expect([hostile.status, hostile.text]).toEqual([200, "User ID\r\n"]);
  });

  test("contains the selected users, with all columns", async () => {
    const user = await createUser(app, { firstName: "Bo", lastName: "Chosen" });
    const { text } = await exportUsers({ userIds: [user.id], columns: [...userExportColumns] });
    const [header, row, ...rest] = text.trimEnd().split("\r\n");
    expect(header).toBe(
      `First Name,Last Name,Company,Email,Phone,User type,Date joined (${vendorTimeName}),Active,Email confirmed,User ID`,
    );
    expect(row).toMatch(/^Bo,Chosen,Analytical Planning,person.*,'\+61 400 000 000,Regular,20\d\d-.*\+10:00,Yes,Yes,/);
    expect(row).toContain(user.id);
    expect(rest).toEqual([]);
  });

  test("is recorded in the audit log with the number of users, without the search", async () => {
    await exportUsers({ ...wanted, sortBy: "EMAIL" });
    const { em } = app.context();
    const [entry] = await em.find(AuditEntry, { action: "export-users" }, { orderBy: { at: "desc" }, limit: 1 });
    expect(entry).toMatchObject({
      actorId: rootAdmin.id,
      subjectName: "Users",
      after: { users: 3, columns: ["firstName", "lastName"], sortBy: "EMAIL", isSearched: true, isSelected: false },
    });
    expect(JSON.stringify(entry?.after)).not.toContain("Works");
  });

  test("streams 1,000 users", async () => {
    await copyRow(app.services.pool, "users", {
      which: "where last_name = 'Zuse'",
      times: 1_000,
      differing: `'company_name', 'Crowd', 'last_name', 'N' || lpad(n::text, 5, '0'),
        'email', 'crowd' || n || '@example.com', 'sign_in_email', 'crowd' || n || '@example.com',
        'confirmation_handle', gen_random_uuid()`,
    });
    const { text } = await exportUsers({ search: "crowd", sortBy: "LAST_NAME", columns: ["lastName"] });
    const rows = text.trimEnd().split("\r\n").slice(1);
    expect(rows).toHaveLength(1_000);
    expect([rows[0], rows.at(-1)]).toEqual(["N00001", "N01000"]);
  });

  test("rejects unknown columns and an unknown order", async () => {
    const { status, json } = await exportUsers({ columns: ["password_hash"], sortBy: "PASSWORD", userIds: ["x"] });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toMatch(/Unknown column.*Unknown user|Unknown user.*Unknown column/);
  });
});
