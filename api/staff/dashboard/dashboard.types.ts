import { User } from "#api/people/users/user.entity.ts";
import { Allow, createPage, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { EXPIRING_DAYS, SEEN_DAYS, versionComparisons } from "#schema/dashboard.ts";
import { billingIntervals } from "#schema/plan-catalogue.ts";

const inReports = { access: Allow("admin", { roles: customerStaff, scope: "reports:read" }) };

export const DashboardFigure = createType(
  "DashboardFigure",
  "admin",
  "A figure of the period and its value in the previous period.",
  {
    value: field.number("The figure in the period."),
    before: field.number(
      "Value in the previous period. For counts at a point in time, the value at the start of the period.",
    ),
  },
);

/** Declares a figure with its change since the previous period. */
const figure = (description: string) => field.object(() => DashboardFigure, description, inReports);

/** Declares a list of figures, such as their course over the period. */
const figures = <Row>(type: () => abstract new (...args: never[]) => Row, description: string) =>
  field.list(type, description, inReports);

export const DashboardTrialsPart = createType(
  "DashboardTrialsPart",
  "admin",
  "Trials that started on one day or in one week.",
  {
    date: field.day("The day, or the first day of the week, in the vendor's time zone."),
    started: field.integer("Trials that began in this part of the period."),
    converted: field.integer("Number of these trials whose user has subscribed since."),
  },
);

export const DashboardTrials = createType("DashboardTrials", "admin", "Trials started in the period.", {
  started: figure("Trials that began in the period."),
  converted: figure("Number of trials started in the period whose user has started a subscription since."),
  course: figures(() => DashboardTrialsPart, "Trials by day, or by week if the period is longer than 31 days."),
});
export type DashboardTrials = InstanceType<typeof DashboardTrials>;

export const DashboardCount = createType("DashboardCount", "admin", "The count on one day or in one week.", {
  date: field.day("The day, or the first day of the week, in the vendor's time zone."),
  count: field.integer("Number in this part of the period."),
});

export const DashboardPlan = createType("DashboardPlan", "admin", "Active subscriptions of one plan price.", {
  planPrice: field.text("ID of the plan price, such as `xer-professional-yearly`."),
  plan: field.text("Name of the plan."),
  interval: field.choice(billingIntervals),
  count: field.integer("Number of subscriptions."),
  monthlyCents: field.number("Monthly value in AUD cents, without GST."),
});
export type DashboardPlan = InstanceType<typeof DashboardPlan>;

export const DashboardSubscriptions = createType(
  "DashboardSubscriptions",
  "admin",
  "Active subscriptions, and subscriptions started and ended in the period.",
  {
    active: figure(
      "Number of paid subscriptions, including cancelled ones until their period ends. Past-due subscriptions are excluded.",
    ),
    monthlyCents: figure(
      "Monthly value of active subscriptions in AUD cents, without GST. Yearly subscriptions count a twelfth. `before` is the current value of the subscriptions active at the start of the period.",
    ),
    plans: figures(() => DashboardPlan, "Active subscriptions by plan price, highest product level first."),
    leaving: field.integer("Number of active subscriptions that were cancelled and end with their current period."),
    pastDue: field.integer(
      "Number of subscriptions whose last renewal failed or whose paid period has expired. Not included in other current figures.",
    ),
    begun: figure("Subscriptions that began in the period."),
    ended: figure("Subscriptions that ended in the period."),
    churned: figure("Number of subscriptions active at the start of the period that ended in it."),
    activeAtStart: field.integer(
      "Number of subscriptions active at the start of the period. The churn rate is `churned.value` divided by this.",
    ),
    activeAtStartBefore: field.integer(
      "Number of subscriptions active at the start of the previous period. Its churn rate is `churned.before` divided by this.",
    ),
    begunCourse: figures(() => DashboardCount, "Subscriptions that began, in parts of the period."),
    endedCourse: figures(() => DashboardCount, "Subscriptions that ended, in parts of the period."),
  },
);
export type DashboardSubscriptions = InstanceType<typeof DashboardSubscriptions>;

export const DashboardActivityPart = createType(
  "DashboardActivityPart",
  "admin",
  "Licence requests of add-ins on one day or in one week.",
  {
    date: field.day("The day, or the first day of the week, in the vendor's time zone."),
    activations: field.number("Number of activations."),
    validations: field.number("Number of licence checks."),
    refusals: field.number("Number of refused requests."),
    blocked: field.number("Number of refusals because the machine is blocked."),
  },
);

export const DashboardActivity = createType(
  "DashboardActivity",
  "admin",
  "Licence requests of add-ins in the period.",
  {
    activations: figure("Number of successful activations, online or by licence file."),
    validations: figure("Number of successful licence validations."),
    refusals: figure("Number of refused requests of any kind."),
    blocked: figure("Number of refusals because the machine is blocked."),
    course: figures(() => DashboardActivityPart, "The same figures in parts of the period, in order."),
    days: figures(() => DashboardActivityPart, "Requests on each day of the period, newest first."),
    behindSince: fieldOrNull.moment(
      "Set while older events are still being counted. The figures are incomplete from this time on.",
    ),
  },
);
export type DashboardActivity = InstanceType<typeof DashboardActivity>;

export const DashboardVersion = createType("DashboardVersion", "admin", "A version of the add-in in use.", {
  version: field.text("The version, such as 7.2.0."),
  devices: field.integer("Number of devices with the version."),
  standing: field.choice(versionComparisons),
});

export const DashboardVersions = createType(
  "DashboardVersions",
  "admin",
  `Add-in versions of devices seen in the last ${SEEN_DAYS} days.`,
  {
    devices: field.integer("Number of devices seen."),
    latest: fieldOrNull.text("Latest version published in Production."),
    minimum: fieldOrNull.text("Minimum version in Production. Older versions are refused."),
    versions: figures(() => DashboardVersion, "The most used versions, at most 12."),
    others: field.integer("Number of devices with other versions."),
  },
);
export type DashboardVersions = InstanceType<typeof DashboardVersions>;

export const DashboardExpiring = createType(
  "DashboardExpiring",
  "admin",
  `Paid licences that expire in the next ${EXPIRING_DAYS} days without renewal.`,
  {
    count: field.integer("Number of licences."),
    course: figures(() => DashboardCount, "Number of expiring licences by week, starting now."),
  },
);
export type DashboardExpiring = InstanceType<typeof DashboardExpiring>;

export const Dashboard = createType("Dashboard", "admin", "Key figures of the business over a period.", {
  days: field.integer("Length of the period in days."),
  from: field.moment("Start of the period's first day in the vendor's time zone. The period ends now."),
});
export type Dashboard = InstanceType<typeof Dashboard>;

export const DashboardRow = createType("DashboardRow", "admin", "A record counted by a figure, with its user.", {
  id: field.id("Unique ID."),
  at: field.moment("Time of the event, past or future, in UTC."),
  what: field.text("Description of the record as a short phrase."),
  licenceId: fieldOrNull.id("The licence concerned. Null if there is none."),
  user: field.object(() => User, "The user concerned.", { access: Scope("users:read") }),
});
export type DashboardRow = InstanceType<typeof DashboardRow>;

export const DashboardPage = createPage("DashboardPage", "admin", "A page of the records counted by a figure.", {
  rows: field.list(() => DashboardRow, "The records of the page.", { access: Scope("reports:read") }),
});
export type DashboardPage = InstanceType<typeof DashboardPage>;
