import { buffer } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import type { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { streamReport } from "#api/staff/reports/stream-report.ts";
import { createContext } from "#api/platform/context.ts";
import { addMilliseconds, HOUR, MINUTE } from "#api/platform/clock.ts";
import { openReportPool } from "#api/platform/database/report-pool.ts";
import { callAddin } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { serialToDate, readWorkbook } from "#tests/support/read-workbook.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const owner = await createUser(app);
const url = "/v1/reports/download-licence-code-report";
const allTime = { startDate: "2000-01-01", endDate: "2099-12-31" };

const titles =
  "Date (Brisbane time),Last date (Brisbane time),Count,Machine name,Windows user,Event,Result code,Result,Answer," +
  "Add-in version,Host version,IP address";

const download = (body: object) =>
  app.rest("POST", url, { body, token: admin, headers: { "accept-encoding": "identity" } });

async function readCsv(licence: Licence, changes: object = {}): Promise<Record<string, string>[]> {
  const { bytes } = await download({ licenceCode: licence.licenceCode, ...allTime, format: "csv", ...changes });
  return parse(bytes, { columns: true, bom: true }) as Record<string, string>[];
}

const createEvent = ({ id: licenceId }: Licence, changes: Partial<LicenceEvent> = {}) =>
  createLicenceEvent(app, { licenceId, ...changes });

test("the usage report is a workbook attachment by default, with a title row, real dates and refusals", async () => {
  const licence = await createLicence(app, owner);
  await callAddin(app, "activate", licence);
  await callAddin(app, "activate", licence);
  await createEvent(await createLicence(app, owner));
  const { status, headers, bytes } = await download({ licenceCode: licence.licenceCode, ...allTime });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("spreadsheetml.sheet");
  const file = `Licence-Usage-${licence.supportCode}.xlsx`;
  expect(headers.get("content-disposition")).toBe(`attachment; filename="${file}"`);
  const { rows, formats } = readWorkbook(bytes);
  const [head, ...body] = rows;
  expect(head?.map((cell) => cell.text).join(",")).toBe(titles);
  expect(body.map((row) => [row[5]?.text, row[6]?.text, row[7]?.text])).toEqual([
    ["Device activation", "22", "MACHINE_LIMIT_EXCEEDED"],
    ["Device activation", "1", "VALID"],
  ]);
  const date = body[0]?.[0];
  expect([date?.type, formats[date?.style ?? 0]]).toEqual(["n", "yyyy-mm-dd hh:mm:ss"]);
  const wallClock = addMilliseconds(app.clock.now(), 10 * HOUR);
  expect(Math.abs(serialToDate(date?.text ?? "").getTime() - wallClock.getTime())).toBeLessThan(MINUTE);
});

test("accepts the licence code in any notation and never includes it in the file", async () => {
  const licence = await createLicence(app, owner);
  await createEvent(licence);
  const typed = licence.licenceCode.toLowerCase().replaceAll("-", " ");
  const { headers, text } = await download({ licenceCode: typed, ...allTime, format: "csv" });
  expect(headers.get("content-disposition")).toContain(`Licence-Usage-${licence.supportCode}.csv`);
  expect(text).not.toContain(licence.licenceCode);
  expect(parse(text, { columns: true, bom: true })).toHaveLength(1);
});

test("includes events in its range, and the whole end day if the end has no time", async () => {
  const licence = await createLicence(app, owner);
  const noon = new Date("2026-03-10T12:00:00Z");
  await createEvent(licence, { at: noon, machineName: "noon" });
  await createEvent(licence, { at: new Date("2026-03-10T14:00:00Z"), machineName: "next day" });
  const run = { at: addMilliseconds(noon, -22.5 * HOUR), lastAt: addMilliseconds(noon, -21.8 * HOUR) };
  await createEvent(licence, { ...run, machineName: "run", count: 9 });
  const names = async (startDate: string, endDate: string) =>
    (await readCsv(licence, { startDate, endDate })).map((row) => `${row["Machine name"]} ${row.Count}`);
  expect(await names("2026-03-10", "2026-03-10")).toEqual(["noon 1", "run 9"]);
  expect(await names("2026-03-10", "2026-03-10 12:00:00")).toEqual(["noon 1", "run 9"]);
  expect(await names("2026-03-10 12:00:01", "2026-03-12")).toEqual(["next day 1"]);
  const [first] = await readCsv(licence, { startDate: "2026-03-10", endDate: "2026-03-10" });
  expect(first?.["Date (Brisbane time)"]).toBe("2026-03-10T22:00:00+10:00");
});

test("includes the whole last second unless the end has fractions, and rounds workbook times to the second", async () => {
  const licence = await createLicence(app, owner);
  await createEvent(licence, { at: new Date("2026-01-31T23:59:59.600Z") });
  const found = async (endDate: string) => (await readCsv(licence, { startDate: "2026-01-01", endDate })).length;
  expect([await found("2026-01-31 23:59:59"), await found("2026-01-31T23:59:59.500Z")]).toEqual([1, 0]);
  expect([await found("2026-01-31T23:59:59.6"), await found("2026-01-31")]).toEqual([1, 0]);
  expect(await found("2026-02-01")).toBe(1);
  await app.services.pool.query("update licence_events set at = '2026-01-31T23:59:59.999600Z' where licence_id = $1", [
    licence.id,
  ]);
  for (const endDate of ["2026-02-01", "2026-01-31 23:59:59"]) expect(await found(endDate)).toBe(1);
  const { bytes } = await download({ licenceCode: licence.licenceCode, ...allTime });
  const serial = Number(readWorkbook(bytes).rows[1]?.[0]?.text);
  expect((serial - 25_569) * 86_400).toBeCloseTo(Date.parse("2026-02-01T09:59:59Z") / 1_000, 3);
});

test("truncates texts longer than a cell allows", async () => {
  const sql = "repeat('x', 32766) || '😀' || repeat('y', 10)";
  for (const isTrusted of [undefined, true] as const) {
    const columns = [{ title: "T", kind: "text", sql, isTrusted }] as const;
    const report = { fileName: "Long", sheetName: "Long", columns, from: "from generate_series(1, 1) n" };
    const { content } = await streamReport(app.context(), report, "xlsx");
    expect(readWorkbook(await buffer(content)).rows[1]?.[0]?.text).toBe("x".repeat(32_766));
  }
});

test("reports errors by field", async () => {
  expect((await download({})).json).toEqual({
    licenceCode: ["Licence code is required."],
    startDate: ["Start date is required."],
    endDate: ["End date is required."],
  });
  expect(Object.keys((await download({ ...allTime, licenceCode: "nonsense" })).json)).toEqual(["licenceCode"]);
  const unknown = await download({ ...allTime, licenceCode: generateLicenceCode() });
  expect(unknown.json).toBe("Sorry, we could not find what you asked for.");
});

test.each(["csv", "xlsx"] as const)("releases its connection when abandoned or stopped: %s", async (format) => {
  const columns = [{ title: "N", kind: "number", sql: "n" }] as const;
  const report = { fileName: "Rows", sheetName: "Rows", columns };
  const reportPool = openReportPool(app.database);
  const context = createContext({ ...app.services, reportPool });
  const start = () => streamReport(context, { ...report, from: "from generate_series(1, 1000000) n" }, format);
  (await start()).content.destroy();
  await expect.poll(() => reportPool.totalCount - reportPool.idleCount).toBe(0);

  const [{ content: unread }, { content: stalled }] = [await start(), await start()];
  const broken = [unread, stalled].map((content) => new Promise((resolve) => content.once("close", resolve)));
  for (const content of [unread, stalled]) content.on("error", () => {});
  stalled.once("readable", () => stalled.read(1));
  reportPool.abortReports();
  await reportPool.end();
  await Promise.all(broken);
});
