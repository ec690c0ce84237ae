import { object } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { line, numeric, textOfList } from "./text.ts";

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
  {
    TRIALS_STARTED: ["trials-started", "Trials started", "Trials that began in the period."],
    TRIALS_CONVERTED: [
      "trials-converted",
      "Trials converted",
      "Trials that began in the period and whose users have subscribed since.",
    ],
    SUBSCRIPTIONS_ACTIVE: [
      "subscriptions-active",
      "Active subscriptions",
      "Paid subscriptions that run now. A cancelled one runs until its period ends.",
    ],
    SUBSCRIPTIONS_LEAVING: [
      "subscriptions-leaving",
      "Cancelling subscriptions",
      "Subscriptions that end with their paid period.",
    ],
    SUBSCRIPTIONS_PAST_DUE: [
      "subscriptions-past-due",
      "Subscriptions past due",
      "Subscriptions whose last renewal failed or whose paid period has expired.",
    ],
    SUBSCRIPTIONS_BEGUN: ["subscriptions-begun", "New subscriptions", "Subscriptions that began in the period."],
    SUBSCRIPTIONS_ENDED: ["subscriptions-ended", "Subscriptions ended", "Subscriptions that ended in the period."],
    LICENCES_EXPIRING: ["licences-expiring", "Licences expiring", "Licences that expire soon and aren't renewed."],
    BLOCKED_ATTEMPTS: ["blocked-attempts", "Blocked attempts", "Requests from blocked machines in the period."],
    DEVICES_SEEN: ["devices-seen", "Devices in use", "Devices that checked their licence lately."],
  },
);
export type DashboardListName = ValueOf<typeof dashboardLists>;

/** Results of comparing a version in use with the published one. */
export const versionComparisons = defineList(
  "VersionComparison",
  "A version of the add-in compared with the version that Production offers.",
  {
    LATEST: ["latest", "Published", "The offered version."],
    NEWER: ["newer", "Newer", "Newer than the offered version."],
    OLDER: ["older", "Older", "Older, but it may run."],
    REFUSED: ["refused", "Refused", "Older than the oldest version that may run."],
    UNKNOWN: ["unknown", "Unknown", "No version is published, or the version can't be read."],
  },
);
export type VersionComparison = ValueOf<typeof versionComparisons>;

// Lengths of the fixed periods for versions in use and expiring licences, in days.
export const SEEN_DAYS = 30;
export const EXPIRING_DAYS = 90;

const days = numeric()
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
  list: textOfList(dashboardLists, "This list doesn't exist.").required("List is required."),
  days,
  only: line(100),
  search: line(200),
});
