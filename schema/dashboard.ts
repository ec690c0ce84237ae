import { number, object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { line } from "./text.ts";

/** Periods of the dashboard in days, ending today. */
export const dashboardPeriods = [
  { value: 30, label: "30 days" },
  { value: 90, label: "90 days" },
  { value: 365, label: "12 months" },
] as const;

/** Lists that the dashboard's figures link to. The values are used in URLs. */
export const dashboardLists = defineList(
  "DashboardListName",
  "A list of the records that a figure of the dashboard counts.",
  [
    {
      code: "TRIALS_STARTED",
      value: "trials-started",
      label: "Trials started",
      description: "Trials that began in the period.",
    },
    {
      code: "TRIALS_CONVERTED",
      value: "trials-converted",
      label: "Trials converted",
      description: "Trials that became subscriptions in the period.",
    },
    {
      code: "SUBSCRIPTIONS_ACTIVE",
      value: "subscriptions-active",
      label: "Active subscriptions",
      description: "Subscriptions that run now.",
    },
    {
      code: "SUBSCRIPTIONS_LEAVING",
      value: "subscriptions-leaving",
      label: "Cancelling",
      description: "Subscriptions that end with their paid period.",
    },
    {
      code: "SUBSCRIPTIONS_PAST_DUE",
      value: "subscriptions-past-due",
      label: "Past due",
      description: "Subscriptions whose last renewal payment failed.",
    },
    {
      code: "SUBSCRIPTIONS_BEGUN",
      value: "subscriptions-begun",
      label: "Begun",
      description: "Subscriptions that began in the period.",
    },
    {
      code: "SUBSCRIPTIONS_ENDED",
      value: "subscriptions-ended",
      label: "Ended",
      description: "Subscriptions that ended in the period.",
    },
    {
      code: "LICENCES_EXPIRING",
      value: "licences-expiring",
      label: "Licences expiring",
      description: "Licences that expire soon and aren't renewed.",
    },
    {
      code: "BLOCKED_ATTEMPTS",
      value: "blocked-attempts",
      label: "Blocked attempts",
      description: "Requests from blocked machines in the period.",
    },
    {
      code: "DEVICES_SEEN",
      value: "devices-seen",
      label: "Devices seen",
      description: "Devices that checked their licence lately.",
    },
  ] as const,
);
export type DashboardListName = ValueOf<typeof dashboardLists>;

/** Results of comparing a version in use with the published one. */
export const versionComparisons = defineList(
  "VersionComparison",
  "A version of the add-in compared with the version that Production offers.",
  [
    { code: "LATEST", value: "latest", label: "Published", description: "The offered version." },
    { code: "NEWER", value: "newer", label: "Newer", description: "Newer than the offered version." },
    { code: "OLDER", value: "older", label: "Older", description: "Older, but it may run." },
    { code: "REFUSED", value: "refused", label: "Refused", description: "Older than the oldest version that may run." },
    {
      code: "UNKNOWN",
      value: "unknown",
      label: "Unknown",
      description: "No version is published, or the version can't be read.",
    },
  ] as const,
);
export type VersionComparison = ValueOf<typeof versionComparisons>;

// Lengths of the fixed periods for versions in use and expiring licences, in days.
export const SEEN_DAYS = 30;
export const EXPIRING_DAYS = 90;

const days = number()
  .oneOf(
    dashboardPeriods.map(({ value }) => value),
    `Days must be one of ${dashboardPeriods.map(({ value }) => value).join(", ")}.`,
  )
  .required("Days is required.");

/** Rules for the period of the dashboard. */
export const dashboardRules = object({ days });

/**
 * Rules for the arguments of a dashboard list: name, period and search. `only` limits the list to one plan price
 * or version.
 */
export const dashboardListRules = object({
  list: string()
    .oneOf(listValues(dashboardLists), "This list doesn't exist.")
    .required("List is required.")
    .meta({ list: () => dashboardLists }),
  days,
  only: line(100),
  search: line(200),
});
