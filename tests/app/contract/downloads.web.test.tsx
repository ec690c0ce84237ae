import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { screen } from "@testing-library/react";
import { execute, type GraphQLFieldResolver, getNullableType, isEnumType, isListType, isScalarType } from "graphql";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { type DownloadBody, type DownloadPath, downloadRules } from "#schema/downloads.ts";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { startAs } from "#tests/support/mock-query.tsx";
import { renderWeb } from "#tests/support/render-web.tsx";
import { sdl as schema } from "#tests/support/sdl.ts";
import AllInvoicesPage from "#web/billing/invoices/all-invoices.tsx";
import { StatementButton } from "#web/billing/statements/statement-button.tsx";
import SubscriptionsPage from "#web/billing/subscriptions/subscriptions-table.tsx";
import TaxPage from "#web/billing/tax/tax-page.tsx";
import { LicencesTab } from "#web/licensing/licences/licences-tab.tsx";
import ReportsPage from "#web/staff/reports/reports-page.tsx";
import ReportFilePage from "#web/staff/saved-reports/report-file.tsx";
import SecurityEventsPage from "#web/staff/security-events/security-events.tsx";
import ManageUsersPage from "#web/staff/users/manage-users-page.tsx";
import type { ReportDownload } from "#web/ui/report-download/use-report-download.tsx";

const users = "?q=rail&sort=Email&types=1,2";
const report = "?type=1&start=2026-09-01&end=2026-09-30";
const actions = /^Actions for/;
const failures = "?type=sign-in.failed&from=2026-09-01";

/** Each download that a page offers: its call, the page, its address, and the buttons and menu items that start it. */
const downloads: [path: DownloadPath, page: () => ReactNode, at: string, ...presses: (string | RegExp)[]][] = [
  ["/v1/admin/statement/download", () => <StatementButton userId="user-7" />, "", "Download statement", "Download"],
  ["/v1/core/accounts/statement/download", () => <StatementButton />, "", "Download statement", "Download"],
  ["/v1/reports/download-accounting", () => <TaxPage />, "?tab=revenue", "Export for accounting", "Journal (CSV)"],
  ["/v1/reports/download-file", () => <ReportFilePage />, "?t=token", "Download"],
  ["/v1/reports/download-invoices", () => <AllInvoicesPage />, "?status=open&q=rail", "Export these rows", "CSV"],
  ["/v1/reports/download-invoices", () => <AllInvoicesPage />, "?status=no-such", "Export these rows", "CSV"],
  ["/v1/reports/download-licence-code-report", () => <LicencesTab userId="u" />, "", actions, "View licence usage"],
  ["/v1/reports/download-report", () => <ReportsPage />, report, "Download"],
  ["/v1/reports/download-report", () => <ReportsPage />, "", actions, "Download now"],
  ["/v1/reports/download-revenue", () => <TaxPage />, "?tab=revenue", "Export months", "CSV"],
  ["/v1/reports/download-revenue", () => <TaxPage />, "?tab=revenue&q=rail", "Export these rows", "CSV"],
  ["/v1/reports/download-security-events", () => <SecurityEventsPage />, failures, "Export CSV"],
  ["/v1/reports/download-security-events", () => <SecurityEventsPage />, "?type=no-such", "Export CSV"],
  ["/v1/reports/download-subscriptions", () => <SubscriptionsPage />, "?status=PAST_DUE&q=rail", "Export these rows"],
  ["/v1/reports/download-tax", () => <TaxPage />, "?basis=cash", "Export summary", "Excel workbook (XLSX)"],
  ["/v1/reports/download-tax", () => <TaxPage />, "?figure=adjustments&q=rail", "Export these rows", "CSV"],
  ["/v1/users/export", () => <ManageUsersPage />, users, "Export these rows"],
];

const dates = { Date: "2026-09-30", DateTime: "2026-09-30T02:00:00.000Z" };
const texts = { ID: "0192a4de-7a51-7bd4-9f2e-3f1f6d0c1a2b", String: "example" };
const examples: Readonly<Record<string, unknown>> = { Boolean: true, ...dates, Float: 1, Int: 1, ...texts };

/** Returns an example of the field's type. Lists have one item. */
const resolveExample: GraphQLFieldResolver<unknown, unknown> = (_source, _args, _context, { returnType }) => {
  const type = getNullableType(returnType);
  const item = isListType(type) ? getNullableType(type.ofType) : type;
  const example = isScalarType(item) ? examples[item.name] : isEnumType(item) ? item.getValues()[0]?.value : {};
  return isListType(type) ? [example] : example;
};

/** Renders a part of the portal in which every query is answered with examples of the schema's types. */
function renderWithExamples(part: ReactNode, at: string) {
  const link = new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) => {
        const answer = execute({ schema, document: query, variableValues: variables, fieldResolver: resolveExample });
        void Promise.resolve(answer).then((result) => {
          observer.next(result as ApolloLink.Result);
          observer.complete();
        });
      }),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  return renderWeb(<ApolloProvider client={client}>{part}</ApolloProvider>, { at });
}

test.each(downloads)("sends %s a body that its rules accept", async (path, page, at, ...presses) => {
  startAs("admin", { staffRoles: ["owner"] });
  const { requests } = mockDownloads(async () => new Response("a,b\n"));
  const { user } = renderWithExamples(page(), `/${at}`);
  for (const [index, name] of presses.entries()) {
    const role = index === 0 || name === "Download" ? "button" : "menuitem";
    await user.click(await screen.findByRole(role, { name }));
  }
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]?.url).toBe(path);
  const rules = downloadRules[path];
  const body = requests[0]?.body as object;
  expect(Object.keys(rules.fields)).toEqual(expect.arrayContaining(Object.keys(body)));
  expect(() => rules.validateSync(body)).not.toThrow();
});

test("covers every download, and refuses bodies with other or missing fields at compile time", () => {
  expect(new Set(downloads.map(([path]) => path))).toEqual(new Set(Object.keys(downloadRules)));
  const body: DownloadBody<"/v1/users/export"> = { columns: ["email"], search: "rail" };
  const order = { order: "EMAIL" };
  const attempts = (start: ReportDownload["start"]) => {
    start("", "/v1/users/export", body);
    // @ts-expect-error -- the call has no such field
    start("", "/v1/users/export", { ...body, ...order });
    // @ts-expect-error -- the columns are missing
    start("", "/v1/users/export", { search: "rail" });
    // @ts-expect-error -- not a status
    start("", "/v1/reports/download-invoices", { status: "OPEN" });
  };
  expect(attempts).toBeTruthy();
});
