import { labelOf, productLevels, ResultCode } from "#schema/catalogue.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import { aud } from "#schema/money.ts";
import type { DashboardListName } from "#schema/rules/dashboard.ts";
import { paidUntilSql } from "#api/selling/subscriptions/subscription-states.ts";
import { isExpiring } from "./read-expiring.ts";
import { endOf, isActive, isPastDue, monthlyCents } from "./read-subscriptions.ts";
import { isConverted, isTrial } from "./read-trials.ts";

/** What a list's statement gives for a row, besides the user. */
export interface DashboardFacts {
  readonly productLevel: number | null;
  readonly plan: string | null;
  readonly monthlyCents: number | null;
  /** Of a trial: its user subscribed since. Of a subscription: it was cancelled and ends with its period. */
  readonly isMarked: boolean | null;
  readonly machineName: string | null;
  readonly detail: string | null;
}

/** One list. `$1` is the present moment, `$2` where the period begins, `$3` the first day in which devices were seen, `$4` what it is narrowed to. */
export interface DashboardList {
  /** Tables and conditions of the figure; counted and shown by the same text, so that both agree. */
  readonly from: string;
  readonly where: string;
  /** The table of the conditions alone, where the others add nothing to count. */
  readonly counted?: string;
  readonly columns: Readonly<Partial<Record<keyof DashboardFacts | "licenceId", string>> & Record<"id" | "at", string>>;
  readonly order: string;
  readonly what: (facts: DashboardFacts) => string;
}

const trial = {
  from: "licences l",
  columns: { id: "l.id", at: "l.created_at", licenceId: "l.id", isMarked: isConverted },
  order: "l.created_at desc, l.id desc",
  what: ({ isMarked }: DashboardFacts) => (isMarked ? "Started a trial, subscribed since" : "Started a trial"),
} as const;
const startedInPeriod = `${isTrial} and l.created_at >= $2::timestamptz and l.created_at <= $1::timestamptz`;

const subscription = {
  from: `subscriptions s join licences l on l.id = s.licence_id left join plan_prices p on p.id = s.plan_price
         left join plans n on n.slug = p.plan_slug`,
  counted: "subscriptions s",
  columns: {
    id: "s.id",
    at: "s.started_at",
    licenceId: "l.id",
    plan: `coalesce(n.name || ', ' || p."interval", s.plan_price)`,
    monthlyCents: `round(${monthlyCents})::int`,
    isMarked: "s.is_cancelled_at_period_end",
  },
  order: "s.started_at desc, s.id desc",
  what: ({ plan, monthlyCents: cents, isMarked }: DashboardFacts) =>
    `${plan}${cents === null ? "" : `, ${aud(cents)} a month`}${isMarked ? ", ends with its period" : ""}`,
} as const;

/** How each list is found; every one begins at an index of its own (migrations 0020 and 0027). */
export const dashboardQueries: Record<DashboardListName, DashboardList> = {
  "trials-started": { ...trial, where: startedInPeriod },
  "trials-converted": { ...trial, where: `${startedInPeriod} and ${isConverted}` },
  "subscriptions-active": { ...subscription, where: `${isActive} and ($4::text is null or s.plan_price = $4)` },
  "subscriptions-leaving": {
    ...subscription,
    where: `${isActive} and s.is_cancelled_at_period_end`,
    columns: { ...subscription.columns, at: "s.current_period_ends_at" },
  },
  "subscriptions-past-due": {
    ...subscription,
    where: isPastDue,
    columns: { ...subscription.columns, at: paidUntilSql },
    order: `${paidUntilSql}, s.id`,
    what: (facts) => `${subscription.what(facts)}, payment overdue`,
  },
  "subscriptions-begun": {
    ...subscription,
    where: `s.started_at >= $2::timestamptz and s.started_at <= $1::timestamptz`,
    what: ({ plan, monthlyCents: cents }) => `${plan}${cents === null ? "" : `, ${aud(cents)} a month`}`,
  },
  "subscriptions-ended": {
    ...subscription,
    where: `s.status = 'cancelled' and ${endOf} >= $2::timestamptz and ${endOf} <= $1::timestamptz`,
    columns: { ...subscription.columns, at: endOf },
    order: `${endOf} desc, s.id desc`,
    what: ({ plan }) => `${plan} ended`,
  },
  "licences-expiring": {
    from: "licences l",
    where: isExpiring,
    columns: { id: "l.id", at: "l.expires_at", licenceId: "l.id", productLevel: "l.product_level" },
    order: "l.expires_at, l.id",
    what: ({ productLevel }) => `${labelOf(productLevels, productLevel ?? 0)} licence expires and nothing renews it`,
  },
  "blocked-attempts": {
    from: "licence_events e join licences l on l.id = e.licence_id",
    where: `e.result_code = ${ResultCode.MACHINE_BLOCKED} and e.at >= $2::timestamptz and e.at <= $1::timestamptz`,
    columns: { id: "e.id", at: "e.at", licenceId: "l.id", machineName: "e.machine_name", detail: "e.ip" },
    order: "e.at desc, e.id desc",
    what: ({ machineName, detail }) =>
      `${shownMachineName(machineName ?? "A machine")} is blocked and asked${detail ? ` from ${detail}` : ""}`,
  },
  "devices-seen": {
    from: "device_versions v join devices d on d.id = v.device_id join licences l on l.id = d.licence_id",
    counted: "device_versions v",
    where: `v.seen_on >= $3::date and ($4::text is null or v.version = $4)`,
    columns: {
      id: "d.id",
      at: "d.last_seen_at",
      licenceId: "l.id",
      machineName: "d.machine_name",
      detail: "v.version",
    },
    order: "v.seen_on desc, v.device_id",
    what: ({ machineName, detail }) => `${shownMachineName(machineName ?? "")} runs ${detail}`,
  },
};
