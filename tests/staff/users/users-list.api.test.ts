import { beforeAll, describe, expect, test } from "vitest";
import type { UserSort } from "#schema/rules/user-list.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
let admin = "";

const people = {
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

beforeAll(async () => {
  admin = await signInAs(app, await createAdmin(app, { firstName: "Root", lastName: "Admin", companyName: "Vendor" }));
  for (const person of Object.values(people).slice(0, 2)) await createUser(app, person as never);
  await createCorporateUser(app, people.grace as never);
  await createUser(app, { firstName: "Deleted", lastName: "User", email: "gone@x.example", deletedAt: new Date() });
});

interface Page {
  total: number;
  endCursor: string | null;
  rows: { firstName: string }[];
}

async function users(filter: Record<string, unknown>): Promise<Page> {
  const asked = "query ($filter: UserFilter!) { users(filter: $filter) { total endCursor rows { id firstName } } }";
  const { data, errors } = await app.graphql(asked, { filter }, admin);
  expect(errors).toBeUndefined();
  return data.users;
}

const names = async (filter: Record<string, unknown>) => (await users(filter)).rows.map(({ firstName }) => firstName);

async function faultOf(filter: Record<string, unknown>) {
  const { errors } = await app.graphql(
    "query ($filter: UserFilter!) { users(filter: $filter) { total } }",
    { filter },
    admin,
  );
  return errors?.[0]?.extensions;
}

describe("the search", () => {
  test.each<[string, string, string[]]>([
    ["a word's start", "byr", ["Grace", "Ada"]],
    ["no word's middle", "yron", []],
    ["every word, in any field and order", "shipping gra", ["Grace"]],
    ["accents and case do not count", "ZOE", ["Zoë"]],
    ["nor do they in what is typed", "hoppér", ["Grace"]],
    ["an apostrophe", "o'brien", ["Zoë"]],
    ["the part behind it", "brien", ["Zoë"]],
    ["a word behind a hyphen", "rail", ["Zoë"]],
    ["a whole address", "zoe.planner@coast.example", ["Zoë"]],
    ["an address as it is typed", "zoe.planner@coa", ["Zoë"]],
    ["a word of an address", "coast", ["Zoë"]],
    ["the position", "estim", ["Ada"]],
    ["a quoted word is whole", '"byro"', []],
    ["a quoted word", '"byron"', ["Grace", "Ada"]],
    ["quoted words next to each other", '"ada byron"', ["Ada"]],
    ["not in another order", '"byron ada"', []],
    ["nor over the border of two fields", '"byron analytical"', []],
    ["an open quotation", '"byron ship', []],
    ["a number without its separators", "0412345678", ["Zoë"]],
    ["its beginning", "04123", ["Zoë"]],
    ["as it is stored", "0412 345 678", ["Zoë"]],
    ["with other separators", "0412-345-678", ["Zoë"]],
    ["grouped otherwise", "04 1234 5678", ["Zoë"]],
    ["from a later group on", "345678", ["Zoë"]],
    ["not from within a group", "412345", ["Zoë"].slice(1)],
    ["with the country's code, stored without", "+61 412 345 678", ["Zoë"]],
    ["without the country's code, stored with", "0400 111 222", ["Ada"]],
    ["a number in brackets", "0730004000", ["Grace"]],
    ["a quoted number is whole", '"041234567"', []],
    ["a quoted number", '"0412345678"', ["Zoë"]],
    ["an ABN without spaces", "51824753556", ["Ada"]],
    ["words and numbers", "ada 2000", ["Ada"]],
    ["the language of the index", "byron & !ada | zoe:*", []],
    ["a backslash and a quote", "\\ ' ada", ["Ada"]],
  ])("%s: %s", async (_what, search, found) => {
    expect(await names({ search })).toEqual(found);
  });

  test("punctuation alone looks for nothing", async () => {
    expect((await users({ search: "- \" '" })).total).toBe(4);
  });
});

describe("the filter", () => {
  test("user types, at least one", async () => {
    expect(await names({ userTypes: [2] })).toEqual(["Grace"]);
    expect(await names({ userTypes: [2, 3] })).toEqual(["Root", "Grace"]);
    expect((await faultOf({ userTypes: [] }))?.fields).toEqual({ userTypes: ["At least 1 user type is required."] });
    expect((await faultOf({ userTypes: [4] }))?.code).toBe("BAD_USER_INPUT");
  });

  test("days of registration, the last one with all of it", async () => {
    expect(await names({ startDate: "2020-03-01", endDate: "2020-03-02" })).toEqual(["Ada", "Zoë"]);
    expect(await names({ startDate: "2020-03-01", endDate: "2020-03-01" })).toEqual(["Zoë"]);
    expect(await names({ endDate: "2020-03-02 08:00:00" })).toEqual(["Ada", "Zoë"]);
    expect(await names({ endDate: "2020-03-02 07:59:59" })).toEqual(["Zoë"]);
    expect(await names({ startDate: "2020-03-03T10:00:00+10:00", endDate: "2020-03-03" })).toEqual(["Grace"]);
  });

  test("days that are none, or the wrong way round, are refused in words", async () => {
    expect((await faultOf({ startDate: "2020-02-30" }))?.fields).toEqual({ startDate: ["Must be a date."] });
    expect((await faultOf({ startDate: "2020-03-02", endDate: "2020-03-01" }))?.fields).toEqual({
      endDate: ["The end date can't be before the start date."],
    });
  });

  test("archived users stand in the list until they are left out; deleted ones never", async () => {
    expect(await names({ endDate: "2020-12-31" })).toEqual(["Grace", "Ada", "Zoë"]);
    expect(await names({ endDate: "2020-12-31", includeArchived: false })).toEqual(["Ada", "Zoë"]);
    expect(await names({ search: "deleted" })).toEqual([]);
  });
});

describe("the order", () => {
  test.each<[UserSort, string[]]>([
    ["FIRST_NAME", ["Ada", "Grace", "Root", "Zoë"]],
    ["LAST_NAME", ["Root", "Ada", "Grace", "Zoë"]],
    ["COMPANY", ["Ada", "Grace", "Zoë", "Root"]],
    ["USER_TYPE", ["Zoë", "Ada", "Grace", "Root"]],
    ["DATE_JOINED", ["Zoë", "Ada", "Grace", "Root"]],
    ["ACTIVE", ["Grace", "Zoë", "Ada", "Root"]],
    ["EMAIL_CONFIRMED", ["Grace", "Zoë", "Ada", "Root"]],
  ])("%s, and backwards", async (sortBy, order) => {
    expect(await names({ sortBy, descending: false })).toEqual(order);
    expect(await names({ sortBy, descending: true })).toEqual(order.toReversed());
  });
});

test("no number of rows makes an operation cheaper than nothing", async () => {
  const expensive = "a: users(filter: { limit: -100 }) { rows { contacts { id } licences { devices { id } } } }";
  const many = Array.from(
    { length: 10 },
    (_, n) => `b${n}: users(filter: { limit: 100 }) { rows { contacts { id } licences { devices { id } } } }`,
  ).join(" ");
  const { errors } = await app.graphql(`{ ${expensive} ${many} }`, {}, admin);
  expect(errors?.[0]?.message).toMatch(/^Query too expensive: cost [\d,]+, limit 10,000\./);
});
