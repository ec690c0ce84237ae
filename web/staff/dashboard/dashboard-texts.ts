import { addDays, getCalendarDay } from "#schema/days.ts";
import { type DashboardListName, dashboardLists, dashboardPeriods } from "#schema/dashboard.ts";
import { paths } from "#web/platform/paths.ts";

/** Texts of a list, besides its title in {@link dashboardLists}. */
interface DashboardListTexts {
  /** Text below the title. `{period}` is replaced with the period. */
  lead: string;
  empty: string;
  /** Title of the time column. */
  when: string;
  /** Report type with more details about the same records. */
  reportType?: number;
}

export const dashboardListTexts: Record<DashboardListName, DashboardListTexts> = {
  "trials-started": {
    lead: "Trials that started in the {period}, latest first.",
    empty: "No trials started in this period.",
    when: "Started",
    reportType: 4,
  },
  "trials-converted": {
    lead: "Trials that started in the {period} and whose users have subscribed since.",
    empty: "No trials from this period have converted yet.",
    when: "Trial started",
    reportType: 4,
  },
  "subscriptions-active": {
    lead: "Paid subscriptions with their monthly value without GST, latest first. Past-due subscriptions have a separate list.",
    empty: "No active subscriptions.",
    when: "Subscribed",
  },
  "subscriptions-leaving": {
    lead: "Cancelled subscriptions that remain active until the end of their paid period, latest cancellation first.",
    empty: "No active subscriptions have been cancelled.",
    when: "Ends",
  },
  "subscriptions-past-due": {
    lead: "Subscriptions whose last renewal failed or whose paid period has expired, longest overdue first. They aren't counted as active or as revenue.",
    empty: "No subscriptions are past due.",
    when: "Paid until",
  },
  "subscriptions-begun": {
    lead: "Subscriptions that started in the {period}, latest first.",
    empty: "No subscriptions started in this period.",
    when: "Subscribed",
  },
  "subscriptions-ended": {
    lead: "Subscriptions that ended in the {period}, latest first.",
    empty: "No subscriptions ended in this period.",
    when: "Ended",
  },
  "licences-expiring": {
    lead: "Paid licences that expire in the next 90 days without renewal, earliest first.",
    empty: "No licences expire within 90 days.",
    when: "Expires",
  },
  "blocked-attempts": {
    lead: "Licence requests from blocked machines in the {period}, latest first. The figure on the dashboard also includes older months whose events have been deleted.",
    empty: "No attempts by blocked machines in this period.",
    when: "Attempted",
    reportType: 9,
  },
  "devices-seen": {
    lead: "Devices that sent a licence request in the last 30 days, with their add-in version.",
    empty: "No devices seen in the last 30 days.",
    when: "Last seen",
  },
};

/** Returns whether a name from the URL is one of the lists. */
export function isDashboardList(name: string): name is DashboardListName {
  return dashboardLists.some(({ value }) => value === name);
}

/** Returns the number of days in the URL, or 30 if it is missing or invalid. */
export function readDays(params: URLSearchParams): number {
  const requested = Number(params.get("days"));
  return dashboardPeriods.find(({ value }) => value === requested)?.value ?? 30;
}

/** Formats a period, such as `last 30 days` or `last 12 months`. */
export function formatPeriod(days: number): string {
  return `last ${dashboardPeriods.find(({ value }) => value === days)?.label ?? `${days} days`}`;
}

/** Returns the URL of a figure's list, optionally filtered by a plan price or version. */
export function buildListHref(list: DashboardListName | "activity", days: number, only?: string): string {
  const query = new URLSearchParams({ days: String(days), ...(only === undefined ? {} : { only }) });
  return `${paths.dashboardList.href({ list })}?${query}`;
}

/** Returns the URL of the reports page for a report type over the period. */
export function buildReportHref(reportType: number, days: number, now = Date.now()): string {
  const today = getCalendarDay(new Date(now));
  const query = { type: String(reportType), start: addDays(today, 1 - days), end: today };
  return `${paths.reports.href()}?${new URLSearchParams(query)}`;
}
