import { number, object, string } from "yup";
import { line } from "./text.ts";

/** Periods of the dashboard in days, ending today. */
export const dashboardPeriods = [
  { value: 30, label: "30 days" },
  { value: 90, label: "90 days" },
  { value: 365, label: "12 months" },
] as const;

/** Lists that the dashboard's figures link to. The names are used in URLs. */
export const dashboardLists = [
  "trials-started",
  "trials-converted",
  "subscriptions-active",
  "subscriptions-leaving",
  "subscriptions-past-due",
  "subscriptions-begun",
  "subscriptions-ended",
  "licences-expiring",
  "blocked-attempts",
  "devices-seen",
] as const;
/** Name of a dashboard list. */
export type DashboardListName = (typeof dashboardLists)[number];

// Lengths of the fixed periods for versions in use and expiring licences, in days.
export const SEEN_DAYS = 30;
export const EXPIRING_DAYS = 90;

/** Highest offset a client may request. */
const MAX_OFFSET = 100_000;

const days = number()
  .oneOf(
    dashboardPeriods.map(({ value }) => value),
    `Days must be one of ${dashboardPeriods.map(({ value }) => value).join(", ")}.`,
  )
  .required("Days is required.");

/** Rules for the period of the dashboard. */
export const dashboardRules = object({ days });

/**
 * Rules for the arguments of a dashboard list: name, period, search and page. `only` limits the list to one plan price
 * or version.
 */
export const dashboardListRules = object({
  list: string().oneOf(dashboardLists, "This list doesn't exist.").required("List is required."),
  days,
  only: line(100),
  search: line(200),
  offset: number().integer().min(0).max(MAX_OFFSET).default(0),
  limit: number().integer().min(1).max(100).default(10),
});
