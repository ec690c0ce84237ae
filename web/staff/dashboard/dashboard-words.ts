import { addDays, dayOf } from "#schema/days.ts";
import { type DashboardListName, dashboardLists, dashboardPeriods } from "#schema/rules/dashboard.ts";
import { paths } from "#web/platform/paths.ts";

/** How a list is called, which rows it has, and what stands there when it has none. */
export interface DashboardListWords {
  title: string;
  /** Under the title; `{period}` is filled in. */
  lead: string;
  empty: string;
  /** Title of the column with the moment. */
  when: string;
  /** The report that has more about them. */
  reportType?: number;
}

/** The words of each list. */
export const wordsOfList: Record<DashboardListName, DashboardListWords> = {
  "trials-started": {
    title: "Trials Started",
    lead: "Trials that started in the {period}, the latest first.",
    empty: "No trials started in this time.",
    when: "Started",
    reportType: 4,
  },
  "trials-converted": {
    title: "Trials Converted",
    lead: "Trials that started in the {period} and whose user has subscribed since.",
    empty: "No trial of this time has led to a subscription yet.",
    when: "Trial started",
    reportType: 4,
  },
  "subscriptions-active": {
    title: "Active Subscriptions",
    lead: "Subscriptions that are paid for, the latest first; what each is worth a month, without GST. Past-due subscriptions are listed on their own.",
    empty: "No active subscriptions.",
    when: "Subscribed",
  },
  "subscriptions-leaving": {
    title: "Subscriptions Leaving",
    lead: "Subscriptions that were cancelled and end with the period that is paid for.",
    empty: "No subscription that runs was cancelled.",
    when: "Ends",
  },
  "subscriptions-past-due": {
    title: "Subscriptions Past Due",
    lead: "Subscriptions whose last renewal failed or whose paid time has expired, the longest overdue first. They are not counted as active or as revenue.",
    empty: "No subscriptions are past due.",
    when: "Paid until",
  },
  "subscriptions-begun": {
    title: "New Subscriptions",
    lead: "Subscriptions that began in the {period}, the latest first.",
    empty: "No subscriptions began in this time.",
    when: "Subscribed",
  },
  "subscriptions-ended": {
    title: "Subscriptions Ended",
    lead: "Subscriptions that ended in the {period}, the latest first.",
    empty: "No subscriptions ended in this time.",
    when: "Ended",
  },
  "licences-expiring": {
    title: "Licences Expiring",
    lead: "Paid licences that expire in the next 90 days and that nothing renews, the next one first.",
    empty: "No licences expire within 90 days.",
    when: "Expires",
  },
  "blocked-attempts": {
    title: "Blocked Attempts",
    lead: "Blocked machines that asked for a licence in the {period}, the latest first. Months whose events are kept no longer are in the figure alone.",
    empty: "No blocked machine has asked in this time.",
    when: "Asked",
    reportType: 9,
  },
  "devices-seen": {
    title: "Devices in Use",
    lead: "Devices that asked in the last 30 days, with the version they asked with.",
    empty: "No device has asked in the last 30 days.",
    when: "Last seen",
  },
};

/** Whether an address names one of the lists. */
export function isDashboardList(name: string): name is DashboardListName {
  return (dashboardLists as readonly string[]).includes(name);
}

/** The days that an address asks for, else 30. */
export function daysIn(params: URLSearchParams): number {
  const asked = Number(params.get("days"));
  return dashboardPeriods.find(({ value }) => value === asked)?.value ?? 30;
}

/** `last 30 days`, `last 12 months`. */
export function periodInWords(days: number): string {
  return `last ${dashboardPeriods.find(({ value }) => value === days)?.label ?? `${days} days`}`;
}

/** The address of a figure's list; `only` narrows it to one plan price or version. */
export function listHref(list: DashboardListName | "activity", days: number, only?: string): string {
  const query = new URLSearchParams({ days: String(days), ...(only === undefined ? {} : { only }) });
  return `${paths.dashboardList.href({ list })}?${query}`;
}

/** The reports page with one type over the period. */
export function reportHref(reportType: number, days: number, now = Date.now()): string {
  const today = dayOf(new Date(now));
  const query = { type: String(reportType), start: addDays(today, 1 - days), end: today };
  return `${paths.reports.href()}?${new URLSearchParams(query)}`;
}
