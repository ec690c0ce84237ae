import { legend, reportTypes } from "#schema/catalogue.ts";
import { licenceCodeReportRules, reportRules } from "#schema/rules/report.ts";
import { usageReport } from "#api/staff/reports/usage-report.ts";
import { periodReport } from "#api/staff/reports/period-report.ts";
import { streamReport } from "#api/staff/reports/stream-report.ts";
import { exampleLicenceCode } from "./examples.ts";
import { defineRoute, FileAnswer } from "./frame.ts";
import { reportFileRules } from "#schema/rules/saved-report.ts";
import { downloadReportFile } from "#api/staff/saved-reports/report-files.ts";

/** Files of scheduled reports. */
export const reportFileRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/reports/download-file",
    allow: "admin",
    tag: "Reports",
    summary: "The report behind a mailed link, for the admin it was mailed to; `token` is what follows `?t=`",
    body: reportFileRules,
    bodyExample: { token: "kR8v…" },
    errors: ["NOT_FOUND"],
    fileType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    handler: async ({ context, body }) => new FileAnswer(await downloadReportFile(context, body.token)),
  }),
];

const tag = "Reports";

/** Files for people who count and compare. */
export const reportRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/reports/download-report",
    allow: "admin",
    tag,
    summary: `A report over a range of dates, newest first; \`reportType\`: ${legend(reportTypes)} \`format\` xlsx (default) or csv`,
    body: reportRules,
    bodyExample: { reportType: 1, startDate: "2025-01-01", endDate: "2025-03-31", format: "csv" },
    errors: ["CONFLICT"],
    fileType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    handler: async ({ context, body }) =>
      new FileAnswer(await streamReport(context, periodReport(context, body), body.format)),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/reports/download-licence-code-report",
    allow: "admin",
    tag,
    summary: "What was asked of a licence between two dates, refusals too; `format` xlsx (default) or csv",
    body: licenceCodeReportRules,
    bodyExample: { licenceCode: exampleLicenceCode, startDate: "2025-01-01", endDate: "2025-03-31", format: "csv" },
    errors: ["CONFLICT", "NOT_FOUND"],
    fileType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    handler: async ({ context, body }) =>
      new FileAnswer(await streamReport(context, await usageReport(context, body), body.format)),
  }),
];
