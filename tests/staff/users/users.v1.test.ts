import { expect, test } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const rootAdmin = await createAdmin(app);
const admin = await signInAs(app, rootAdmin);
const filter = (body: unknown, token = admin) => app.rest("POST", "/v1/users/filter", { body, token });
const emails = (json: { email: string }[]) => json.map(({ email }) => email);

test("returns rows with their documented field names", async () => {
  const registeredAt = new Date("2019-05-06T07:08:09Z");
  const user = await createCorporateUser(app, { registeredAt, emailConfirmedAt: null });
  const body = { userTypes: [2], startDate: "2019-05-06 00:00:00", endDate: "2019-05-06 23:59:59" };
  const { status, json } = await filter(body);
  expect({ status, json }).toEqual({
    status: 200,
    json: [
      {
        id: user.id,
        firstName: "Ada",
        lastName: "Byron",
        companyName: "Analytical Planning",
        email: user.email,
        mobile: "+61 400 000 000",
        userType: 2,
        registationDate: "2019-05-06T07:08:09.000Z",
        isActive: true,
        emailConfirmed: false,
      },
    ],
  });
});

test("rejects a filter without dates", async () => {
  const missing = { startDate: ["Start date is required."], endDate: ["End date is required."] };
  for (const body of [{}, { userTypes: [1] }, { startDate: null, endDate: null }, { startDate: " ", endDate: "" }]) {
    const { status, json } = await filter(body);
    expect({ status, json }).toEqual({ status: 400, json: missing });
  }
});

test("includes archived users, and all types if none are given", async () => {
  const now = app.clock.now().getTime();
  const archived = await createUser(app, { archivedAt: new Date(), registeredAt: new Date(now - 300 * DAY) });
  const old = await createUser(app, { registeredAt: new Date(now - 400 * DAY) });
  const days = { startDate: new Date(now - 365 * DAY).toISOString(), endDate: new Date(now + DAY).toISOString() };
  const { json, headers } = await filter(days);
  const found = emails(json);
  expect(headers.get("x-total-count")).toBe(String(found.length));
  expect(headers.get("link")).toBeNull();
  expect(found).toContain(archived.email);
  expect(found).toContain(rootAdmin.email);
  expect(found).not.toContain(old.email);
});

test("returns errors by field name for an invalid filter", async () => {
  const { status, json } = await filter({ userTypes: [], startDate: "", endDate: "31/12/2020" });
  expect({ status, json }).toEqual({
    status: 400,
    json: {
      userTypes: ["At least 1 user type is required."],
      startDate: ["Start date is required."],
      endDate: ["Must be a date."],
    },
  });
  expect((await filter({ startDate: "2020-01-01", endDate: "" })).json).toEqual({ endDate: ["End date is required."] });
  expect((await filter({ startDate: 5, userTypes: "all" })).status).toBe(400);
});

test("archives a user from their next request and returns true when repeated", async () => {
  const user = await createUser(app);
  const token = await signInAs(app, user);
  const archive = () => app.rest("PATCH", `/v1/users/${user.id}/archive`, { token: admin });
  expect((await archive()).json).toBe(true);
  expect((await app.rest("GET", `/v1/core/accounts/${user.id}/profile`, { token })).status).toBe(401);
  expect((await archive()).json).toBe(true);
});

test("rejects archiving one's own account or an unknown user", async () => {
  const own = await app.rest("PATCH", `/v1/users/${rootAdmin.id.toUpperCase()}/archive`, { token: admin });
  expect({ status: own.status, message: own.json.Message }).toEqual({
    status: 409,
    message: "You can't archive your own account.",
  });
  for (const id of ["00000000-0000-4000-8000-000000000000", "x", "%00"])
    expect((await app.rest("PATCH", `/v1/users/${id}/archive`, { token: admin })).status).toBe(404);
});

test("prevents customers from listing and archiving users", async () => {
  const user = await createUser(app);
  for (const token of [await signInAs(app, user), await signInAs(app, await createCorporateUser(app))]) {
    expect((await filter({}, token)).status).toBe(403);
    expect((await app.rest("PATCH", `/v1/users/${user.id}/archive`, { token })).status).toBe(403);
  }
});
