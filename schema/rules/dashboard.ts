import { number, object, string } from "yup";
import { line } from "./text.ts";

/** What the dashboard can look back over, in days that end today. */
export const dashboardPeriods = [
  { value: 30, label: "30 days" },
  { value: 90, label: "90 days" },
  { value: 365, label: "12 months" },
] as const;

/** The lists behind the dashboard's figures. The names stand in addresses. */
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
/** Name of one of the lists. */
export type DashboardListName = (typeof dashboardLists)[number];

/** Versions and licences that expire are looked at over these days, whatever the period. */
export const SEEN_DAYS = 30;
export const EXPIRING_DAYS = 90;

/** Nobody turns pages further than this. */
const DEEPEST = 100_000;

const days = number()
  .oneOf(
    dashboardPeriods.map(({ value }) => value),
    `Days must be one of ${dashboardPeriods.map(({ value }) => value).join(", ")}.`,
  )
  .required("Days is required.");

/** Over which period the dashboard tells. */
export const dashboardRules = object({ days });

/** Which list, over which period, narrowed to one plan price or version by `only`, and which part of it. */
export const dashboardListRules = object({
  list: string().oneOf(dashboardLists, "There is no such list.").required("List is required."),
  days,
  only: line(100),
  search: line(200),
  offset: number().integer().min(0).max(DEEPEST).default(0),
  limit: number().integer().min(1).max(100).default(10),
});
