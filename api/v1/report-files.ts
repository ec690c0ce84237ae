import { reportFileRules } from "#schema/rules/saved-report.ts";
import { downloadReportFile } from "#api/staff/saved-reports/report-files.ts";
import { defineRoute, FileAnswer } from "./frame.ts";

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
