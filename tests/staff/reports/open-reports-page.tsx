import { getPeriodDays } from "#schema/saved-report.ts";
import { type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { ReportPreviewDocument, ReportSeriesDocument, SavedReportsDocument } from "#web/generated/graphql.ts";
import ReportsPage from "#web/staff/reports/reports-page.tsx";

/** Default range of the form: from a month ago to today. */
export const defaultDays = getPeriodDays("ONE_MONTH", new Date());

export const formatShortDay = (day: string) => day.split("-").reverse().join("/");

const columns = [
  { title: "Date joined (UTC)", kind: "DATE" },
  { title: "First Name", kind: "TEXT" },
  { title: "Amount", kind: "MONEY" },
];

export function mockPreview(request: object, rows: unknown[][], total = rows.length, isTotalCapped = false): Mock {
  return mockQuery(ReportPreviewDocument, { ...defaultDays, ...request }).returns({
    reportPreview: { columns, rows, total, isTotalCapped },
  });
}

/** Mocks the series of a report, with one point per day. */
export function mockSeries(request: object, counts: number[] = [1, 2]): Mock {
  const points = counts.map((count, at) => ({ date: `2026-11-0${at + 1}`, count }));
  return mockQuery(ReportSeriesDocument, { ...defaultDays, ...request }).returns({
    reportSeries: { bucket: "DAY", points },
  });
}

export const buildSavedReport = (id: string, changes: object = {}) => ({
  id,
  name: "New users",
  reportType: "USERS",
  period: "LAST_7_DAYS",
  format: "CSV",
  schedule: "WEEKLY",
  nextRunAt: "2026-11-30T00:00:00.000Z",
  startDate: "2026-11-16",
  endDate: "2026-11-22",
  ...changes,
});

export const mockSavedReports = (...savedReports: unknown[]) =>
  mockQuery(SavedReportsDocument).returns({ savedReports });

/** Renders the reports page. */
export const openReports = (...mocks: Mock[]) => openReportsAt("", ...mocks);

/** Renders the reports page with a query string. */
export const openReportsAt = (query: string, ...mocks: Mock[]) =>
  renderMocked(mocks, <ReportsPage />, `/admin/reports-page/${query}`);
