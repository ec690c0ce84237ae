import { Arg, Ctx, Query, Resolver } from "type-graphql";
import { columnKinds, reportRules, reportTypes, licenceCodeReportRules } from "#schema/report.ts";
import { Allow, createType, enumType, field, Scope } from "#api/platform/graphql/declare.ts";
import { MomentScalar } from "#api/platform/graphql/scalars.ts";
import type { Context } from "#api/platform/context.ts";
import { createReadCost } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { MAX_COUNTED_ROWS, previewReport } from "./report-preview.ts";
import { MAX_POINTS, ReportBucket, countReportSeries } from "./report-series.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { formatLegend, listValues } from "#schema/closed-list.ts";
import { securityEventReportRules } from "#schema/security-event.ts";
import { buildSecurityEventsReport } from "#api/staff/security-events/security-events-report.ts";
import { buildUsageReport, buildPeriodReport } from "./period-report.ts";
import { contentTypes, runAtEnd, streamReport } from "./stream-report.ts";
import { buildSubscriptionListReport, buildInvoiceListReport } from "./list-reports.ts";
import { buildTaxReport } from "./tax-report.ts";
import { buildMoneyReport } from "./money-report.ts";
import { buildAccountingReport } from "./accounting-report.ts";
import { readExport } from "#api/billing/journal/export-changes.ts";
import { accountingFileRules, accountingFiles } from "#schema/accounting.ts";
import { moneyFigureNames, moneyFileRules } from "#schema/money-report.ts";
import { invoiceReportRules } from "#schema/manual-invoice.ts";
import { subscriptionReportRules } from "#schema/staff-money.ts";
import { taxFigureNames, taxReportRules } from "#schema/tax.ts";
import { csvExamples, exampleLicenceCode } from "#api/platform/http/route-examples.ts";
import { FileResponse, routesOf } from "#api/platform/http/define-route.ts";
import { reportFileRules } from "#schema/saved-report.ts";
import { downloadReportFile } from "#api/staff/saved-reports/report-files.ts";

export const ReportColumn = createType("ReportColumn", "admin", "A column of a report.", {
  title: field.text("Heading of the column."),
  kind: field.choice(columnKinds),
});
export type ReportColumn = InstanceType<typeof ReportColumn>;

export const ReportPreview = createType("ReportPreview", "admin", "The first rows of a report.", {
  columns: field.list(() => ReportColumn, "The columns, in order.", { access: Scope("reports:read") }),
  rows: field.cells("Cell values. Dates are ISO 8601 in UTC, and money is in dollars. Null if a cell is empty."),
  total: field.integer(`Total number of rows in the report, counted up to ${MAX_COUNTED_ROWS}.`),
  isTotalCapped: field.flag("Whether the report has more rows than `total`."),
});
export type ReportPreview = InstanceType<typeof ReportPreview>;

export const ReportPoint = createType(
  "ReportPoint",
  "admin",
  "Row count of one day, week, month or year of a report.",
  { date: field.day("First day of the point, in the vendor's time zone."), count: field.integer("Number of rows.") },
);

export const ReportSeries = createType(
  "ReportSeries",
  "admin",
  `Row counts of a report over its range, in at most ${MAX_POINTS} points.`,
  {
    bucket: field.code(ReportBucket, "Length of a point."),
    points: field.list(() => ReportPoint, "Points in chronological order, including points without rows.", {
      access: Scope("reports:read"),
    }),
  },
);
export type ReportSeries = InstanceType<typeof ReportSeries>;

const startDescription = "A day in the vendor's time zone, or an ISO 8601 date and time, in UTC if it has no offset.";
const endDescription = "Same format as `startDate`. A day without a time is included in full.";

@Resolver()
export class ReportResolver {
  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => ReportPreview, {
    description: "The first rows of a report, newest first.",
    complexity: createReadCost(150),
  })
  async reportPreview(
    @Arg("reportType", enumType(reportTypes), { description: reportTypes.meaning }) reportType: number,
    @Arg("startDate", () => MomentScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => MomentScalar, { description: endDescription }) endDate: string,
    @Ctx() context: Context,
  ): Promise<ReportPreview> {
    return previewReport(context, check(reportRules, { reportType, startDate, endDate }));
  }

  @Allow("admin", { roles: ["finance"], scope: "reports:read" })
  @Query(() => ReportSeries, { description: "Row counts of a report over its range.", complexity: createReadCost(600) })
  async reportSeries(
    @Arg("reportType", enumType(reportTypes), { description: reportTypes.meaning }) reportType: number,
    @Arg("startDate", () => MomentScalar, { description: startDescription }) startDate: string,
    @Arg("endDate", () => MomentScalar, { description: endDescription }) endDate: string,
    @Ctx() context: Context,
  ): Promise<ReportSeries> {
    return countReportSeries(context, check(reportRules, { reportType, startDate, endDate }));
  }
}

const { xlsx, csv } = contentTypes;
const defineRoute = routesOf("Reports");

/** Call for downloading scheduled reports. */
export const reportFileRoutes = [
  defineRoute("POST /v1/reports/download-file", {
    allow: { audience: "admin", roles: ["finance"], harm: "mass" },
    summary:
      "Download a scheduled report. Only for the admin who received the email. `token` is the value of `t` in the link",
    body: reportFileRules,
    bodyExample: { token: "kR8v…" },
    errors: ["NOT_FOUND"],
    fileTypes: [xlsx, csv],
    fileExample: csvExamples.report,
    handler: async ({ context, body }) => new FileResponse(await downloadReportFile(context, body.token)),
  }),
];

export const reportRoutes = [
  defineRoute("POST /v1/reports/download-report", {
    allow: { audience: "admin", roles: ["finance"], scope: "reports:read", harm: "mass" },
    summary: `Download a report. Lists the rows of a range of dates, newest first. \`reportType\` is one of: ${formatLegend(reportTypes)} \`format\` is xlsx (default) or csv`,
    body: reportRules,
    bodyExample: { reportType: 1, startDate: "2025-01-01", endDate: "2025-03-31", format: "csv" },
    errors: ["CONFLICT"],
    fileTypes: [xlsx, csv],
    fileExample: csvExamples.report,
    handler: async ({ context, body }) =>
      new FileResponse(await streamReport(context, buildPeriodReport(context, body), body.format)),
  }),
  defineRoute("POST /v1/reports/download-licence-code-report", {
    allow: { audience: "admin", roles: ["support"], scope: "reports:read", harm: "mass" },
    summary:
      "Download the licence checks of a licence. Covers a range of dates and includes refusals. `format` is xlsx (default) or csv",
    body: licenceCodeReportRules,
    bodyExample: { licenceCode: exampleLicenceCode, startDate: "2025-01-01", endDate: "2025-03-31", format: "csv" },
    errors: ["CONFLICT", "NOT_FOUND"],
    fileTypes: [xlsx, csv],
    fileExample: csvExamples.usage,
    handler: async ({ context, body }) =>
      new FileResponse(await streamReport(context, await buildUsageReport(context, body), body.format)),
  }),
  defineRoute("POST /v1/reports/download-security-events", {
    allow: { audience: "admin", roles: [], scope: "reports:read", harm: "mass" },
    summary:
      "Download security events, newest first. Filters by `types`, `userId`, `address`, `search` and the times `from` and `to`. `format` is csv (default) or xlsx",
    body: securityEventReportRules,
    bodyExample: { types: ["sign-in.failed"], from: "2025-01-01", to: "2025-03-31", format: "csv" },
    fileTypes: [csv, xlsx],
    fileExample: csvExamples.securityEvents,
    handler: async ({ context, body }) =>
      new FileResponse(await streamReport(context, await buildSecurityEventsReport(context, body), body.format)),
  }),
  defineRoute("POST /v1/reports/download-tax", {
    allow: { audience: "admin", roles: ["finance"], scope: "reports:read", harm: "mass" },
    summary: `Download the GST summary of a period, or the rows that add up to one \`figure\`: ${taxFigureNames.join(", ")}. \`basis\` is accrual (default) or cash. \`format\` is xlsx (default) or csv`,
    body: taxReportRules,
    bodyExample: { startDate: "2025-01-01", endDate: "2025-03-31", basis: "accrual", format: "csv" },
    fileTypes: [xlsx, csv],
    fileExample: csvExamples.tax,
    handler: async ({ context, body }) =>
      new FileResponse(await streamReport(context, buildTaxReport(body), body.format)),
  }),
  defineRoute("POST /v1/reports/download-revenue", {
    allow: { audience: "admin", roles: ["finance"], scope: "reports:read", harm: "mass" },
    summary: `Download revenue, deferred revenue, cash and failed payments by month, or the rows that add up to one \`figure\`: ${moneyFigureNames.join(", ")}. \`format\` is xlsx (default) or csv`,
    body: moneyFileRules,
    bodyExample: { startDate: "2025-01-01", endDate: "2025-03-31", format: "csv" },
    fileTypes: [xlsx, csv],
    fileExample: csvExamples.revenue,
    handler: async ({ context, body }) =>
      new FileResponse(await streamReport(context, buildMoneyReport(context, body), body.format)),
  }),
  defineRoute("POST /v1/reports/download-accounting", {
    allow: { audience: "admin", roles: ["finance"], scope: "reports:read", harm: "mass" },
    summary: `Download a CSV file for an accounting program: ${listValues(accountingFiles).join(", ")}. Amounts include GST, except in the journal and in \`changes\`, which lists the entries that changed since each of the other files was last downloaded`,
    body: accountingFileRules,
    bodyExample: { startDate: "2025-01-01", endDate: "2025-03-31", file: "journal" },
    fileTypes: [csv],
    fileExample: csvExamples.journal,
    handler: async ({ context, body }) => {
      const recordExport = await readExport(context, body);
      const file = await streamReport(context, buildAccountingReport(context, body), "csv");
      return new FileResponse({ ...file, content: runAtEnd(file.content, recordExport) });
    },
  }),
  defineRoute("POST /v1/reports/download-invoices", {
    allow: { audience: "admin", roles: ["finance"], scope: "reports:read", harm: "mass" },
    summary:
      "Download drafts, tax invoices and adjustment notes, newest first. Filters by `status`, `customer`, `userId`, `search` and the issue dates `from` and `to`. `format` is csv (default) or xlsx",
    body: invoiceReportRules,
    bodyExample: { status: "open", from: "2025-01-01", to: "2025-03-31", format: "csv" },
    fileTypes: [csv, xlsx],
    fileExample: csvExamples.invoices,
    handler: async ({ context, body: { format, ...filter } }) =>
      new FileResponse(await streamReport(context, buildInvoiceListReport(filter, context.clock.now()), format)),
  }),
  defineRoute("POST /v1/reports/download-subscriptions", {
    allow: { audience: "admin", roles: customerStaff, scope: "reports:read", harm: "mass" },
    summary:
      "Download subscriptions with their customers, in the order of their next payment. Filters by `search` and `statuses` as the GraphQL query `billingSubscriptions` does. `format` is csv (default) or xlsx",
    body: subscriptionReportRules,
    bodyExample: { statuses: ["PAST_DUE"], format: "csv" },
    fileTypes: [csv, xlsx],
    fileExample: csvExamples.subscriptions,
    handler: async ({ context, body: { format, ...filter } }) =>
      new FileResponse(await streamReport(context, await buildSubscriptionListReport(context, filter), format)),
  }),
];
