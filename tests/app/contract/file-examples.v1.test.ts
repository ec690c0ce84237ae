import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { vendorTimeName } from "#schema/days.ts";
import { routes } from "#api/v1/routes.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const customer = await createUser(app);
const licence = await createLicence(app, customer);
const owner = await signInAs(app, await createAdmin(app, { staffRoles: ["owner"] }));
const own = await signInAs(app, customer);
/** Values of examples that have to exist. */
const existing: Record<string, unknown> = { licenceCode: licence.licenceCode, userId: customer.id, format: "csv" };
/** Calls whose file has to be made by another call first; their own tests read its columns. */
const derived = ["/v1/reports/download-file", "/v1/admin/bulk-runs/:id/result"];

const csvRoutes = routes.filter(({ fileTypes }) => fileTypes.some((type) => type.startsWith("text/csv")));

const tested = csvRoutes.filter(({ url }) => !derived.includes(url)).map((route) => [route.url, route] as const);
test.each(tested)("%s has an example with its columns", async (url, { method, bodyExample, fileExample, allow }) => {
  const example = bodyExample as Record<string, unknown>;
  const known = Object.entries(existing).filter(([name]) => name in example);
  const body = { ...example, ...Object.fromEntries(known) };
  const { status, text } = await app.rest(method, url, { token: allow?.audience === "customer" ? own : owner, body });
  expect({ status, text }).toMatchObject({ status: 200 });
  expect(fileExample?.split("\r\n")[0]).toBe(text.replace(/^\uFEFF/, "").split(/\r?\n/)[0]);
});

test("has times in its examples as the files have them", () => {
  for (const { url, fileExample = "" } of csvRoutes) {
    const [titles = [], ...rows] = parse(fileExample);
    const times = rows.flatMap((row) => row.filter((cell, at) => cell && titles[at]?.endsWith(`(${vendorTimeName})`)));
    for (const time of times) expect(time, url).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
  }
});

test("has an example of each file", () => {
  expect(csvRoutes.filter(({ fileExample }) => !fileExample).map(({ url }) => url)).toEqual([]);
});
