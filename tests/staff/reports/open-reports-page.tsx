import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { getPeriodDays } from "#schema/saved-report.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import { Guard } from "#web/platform/route-guard.tsx";
import { paths } from "#web/platform/paths.ts";
import { routes } from "#web/app/routes.ts";
import { ReportPreviewDocument, ReportSeriesDocument, SavedReportsDocument } from "#web/generated/graphql.ts";
import ReportsPage from "#web/staff/reports/reports-page.tsx";

export type Mock = MockLink.MockedResponse;

/** Default range of the form: from a month ago to today. */
export const defaultDays = getPeriodDays("ONE_MONTH", new Date());

export const formatShortDay = (day: string) => day.split("-").reverse().join("/");

const columns = [
  { __typename: "ReportColumn", title: "Date joined (UTC)", kind: "DATE" },
  { __typename: "ReportColumn", title: "First Name", kind: "TEXT" },
  { __typename: "ReportColumn", title: "Amount", kind: "MONEY" },
];

export function mockPreview(request: object, rows: unknown[][], total = rows.length, isTotalCapped = false): Mock {
  return {
    request: { query: ReportPreviewDocument, variables: { ...defaultDays, ...request } },
    result: { data: { reportPreview: { __typename: "ReportPreview", columns, rows, total, isTotalCapped } } },
  };
}

/** Mocks the series of a report, with one point per day. */
export function mockSeries(request: object, counts: number[] = [1, 2]): Mock {
  const points = counts.map((count, at) => ({ __typename: "ReportPoint", date: `2026-11-0${at + 1}`, count }));
  return {
    request: { query: ReportSeriesDocument, variables: { ...defaultDays, ...request } },
    result: { data: { reportSeries: { __typename: "ReportSeries", bucket: "DAY", points } } },
  };
}

export const buildSavedReport = (id: string, changes: object = {}) => ({
  __typename: "SavedReport",
  id,
  name: "New users",
  reportType: "USERS",
  period: "LAST_7_DAYS",
  format: "CSV",
  schedule: "WEEKLY",
  nextRunAt: "2026-11-30T00:00:00.000Z",
  startDate: "2026-11-16",
  endDate: "2026-11-22",
  lastRunAt: null,
  lastRunState: null,
  lastFailure: null,
  ...changes,
});

export const mockSavedReports = (...savedReports: unknown[]): Mock => ({
  request: { query: SavedReportsDocument },
  result: { data: { savedReports } },
});

/** Renders the reports page with its route guard. */
export const openReports = (...mocks: Mock[]) => openReportsAt("", ...mocks);

/** Renders the reports page with its route guard and a query string. */
export function openReportsAt(query: string, ...mocks: Mock[]) {
  const access = routes.find(({ path }) => path === paths.reports)?.access;
  return renderWeb(
    <MockedProvider mocks={mocks}>
      <Guard access={access ?? { kind: "public" }}>
        <ReportsPage />
      </Guard>
    </MockedProvider>,
    { at: `/admin/reports-page/${query}` },
  );
}
