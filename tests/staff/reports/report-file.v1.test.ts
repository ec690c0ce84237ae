import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { reportTypes } from "#schema/report.ts";
import { archiveUser } from "#api/staff/users/archive-user.ts";
import { createRevokedLicence } from "#tests/factories/licence.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { march, openReports } from "./download-report.ts";

const app = await startTestApp();
const { admin, download, readCsv } = await openReports(app);

test("archived and deleted accounts are included and marked, without the personal data of deleted accounts", async () => {
  const june = { registeredAt: new Date("2020-06-10T00:00:00Z") };
  const archived = await createUser(app, { ...june, firstName: "Arch" });
  const deleted = await createUser(app, {
    registeredAt: new Date("2020-06-09T00:00:00Z"),
    firstName: "Delia",
    email: "delia@example.com",
  });
  await createRevokedLicence(app, deleted, { createdAt: june.registeredAt });
  await archiveUser(app.context(), archived.id);
  expect((await deleteAccount(app, await signInAs(app, deleted))).errors).toBeUndefined();
  const range = { startDate: "2020-06-01", endDate: "2020-06-30" };
  const users = await readCsv(1, range);
  expect(
    users.map((row) => [row["First Name"], row.Account, row.Email !== "", row["Archived (Brisbane time)"] !== ""]),
  ).toEqual([
    ["Arch", "Archived", true, true],
    ["Deleted", "Deleted", false, true],
  ]);
  expect((await download(4, "csv", range)).bytes.toString()).toContain("Deleted,User,");
  const always = { startDate: "2000-01-01", endDate: "2099-12-31" };
  for (const { value } of reportTypes)
    expect((await download(value, "csv", always)).bytes.toString()).not.toMatch(/Delia|deleted\.invalid/i);
});

test("a report file is named after its report and dates, and isn't cached", async () => {
  const names =
    "Users User-Contacts User-Comments Licences Tax-Invoices Licence-Validations-and-Activations Licence-Deactivations " +
    "Blocked-Machines Blocked-Machines-Attempted-Activations";
  for (const [index, name] of names.split(" ").entries())
    for (const [format, type] of [
      ["csv", "text/csv; charset=utf-8"],
      ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ] as const) {
      // A select sends the type as text.
      const { headers } = await download(format === "csv" ? `${index + 1}` : index + 1, format);
      const file = `${name}-2020-03-01-to-2020-03-31.${format}`;
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${file}"`);
      expect(headers.get("cache-control")).toContain("no-store");
      expect(headers.get("content-type")).toBe(type);
    }
});

test("a report file contains only column titles if the report has no rows", async () => {
  const empty = { startDate: "1999-01-01", endDate: "1999-01-02" };
  for (const { value } of reportTypes) {
    const { rows } = readWorkbook((await download(value, "xlsx", empty)).bytes);
    expect(rows).toHaveLength(1);
    const csv = (await download(value, "csv", empty)).bytes.toString();
    expect(parse(csv, { bom: true })).toEqual([rows[0]?.map(({ text }) => text)]);
  }
});

test("a report file includes both ends of its range, up to the last microsecond", async () => {
  for (const time of [
    "2021-02-28 23:59:59.999999+10",
    "2021-03-01 00:00:00+10",
    "2021-03-31 23:59:59.999999+10",
    "2021-04-01 00:00:00+10",
  ]) {
    const user = await createUser(app, { firstName: time.slice(5, 10) });
    await app.services.pool.query("update users set registered_at = $1 where id = $2", [time, user.id]);
  }
  const rows = await readCsv(1, { startDate: "2021-03-01", endDate: "2021-03-31" });
  expect(rows.map((row) => row["First Name"])).toEqual(["03-31", "03-01"]);
  expect(await readCsv(1, { startDate: "2021-03-01 00:00:01", endDate: "2021-03-31 12:00:00" })).toEqual([]);
  expect(await readCsv(1, { startDate: "0001-01-01", endDate: "9999-12-31" })).not.toEqual([]);
});

const request = async (body: object) =>
  (await app.rest("POST", "/v1/reports/download-report", { body, token: admin })).json;

test("reports errors by field", async () => {
  expect(await request({})).toEqual({
    reportType: ["Report type is required."],
    startDate: ["Start date is required."],
    endDate: ["End date is required."],
  });
  for (const reportType of [0, 10, 1.5, "x", [1], true, 1e308])
    expect(await request({ reportType, ...march })).toEqual({ reportType: ["Unknown report type."] });
  expect(await request({ reportType: 1, startDate: "2026-02-30", endDate: "soon" })).toEqual({
    startDate: ["Must be a date."],
    endDate: ["Must be a date."],
  });
  const format = ["Format must be xlsx or csv."];
  expect(await request({ reportType: 1, ...march, format: "pdf" })).toEqual({ format });
});
