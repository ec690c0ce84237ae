import { labelCancellationReason } from "#schema/subscription.ts";
import { productLevels } from "#schema/product-level.ts";
import { ResultCode } from "#schema/result-code.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatDay } from "#schema/dates.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { formatAud } from "#schema/money.ts";
import { type DashboardListName, EXPIRING_DAYS } from "#schema/dashboard.ts";
import { paidUntilSql } from "#api/billing/subscriptions/subscription.entity.ts";
import { toDay } from "#api/billing/revenue/money-figures.ts";
import { isTrialSql } from "#api/licensing/licences/licence-status.ts";
import { isExpiringSql, isConvertedSql } from "./read-trials.ts";
import { endedAtSql, isActiveNowSql, isPastDueNowSql, monthlyCentsSql } from "./read-subscriptions.ts";
import type { DashboardRow } from "./dashboard.types.ts";
import { searchedUserText } from "#api/billing/subscriptions/list-subscriptions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { toSearchPattern } from "#api/platform/database/database.ts";
import type { Context } from "#api/platform/context.ts";
import { buildCountedPage, type PageOf } from "#api/platform/graphql/page.ts";
import { lacksStaffRole } from "#api/platform/graphql/staff-role.ts";
import { explainTimeout } from "#api/staff/reports/report-preview.ts";
import { createPeriod } from "./dashboard-period.ts";
import { getSeenSince } from "./read-activity.ts";

/** Columns of a row in a dashboard list, in addition to the user. */
interface DashboardFacts {
  readonly licenceId: string | null;
  readonly productLevel: number | null;
  readonly plan: string | null;
  readonly monthlyCents: number | null;
  /**
   * For a trial, true if its user has subscribed since it started. For a subscription, true if it was cancelled and
   * ends with its period.
   */
  readonly isMarked: boolean | null;
  readonly machineName: string | null;
  readonly ip: string | null;
  readonly detail: string | null;
  /** The vendor's day on which a subscription was cancelled. */
  readonly cancelledOn: string | null;
}

const factNames: readonly (keyof DashboardFacts)[] = [
  "licenceId",
  "productLevel",
  "plan",
  "monthlyCents",
  "isMarked",
  "machineName",
  "ip",
  "detail",
  "cancelledOn",
];

/**
 * One list. `$1` is the current time, `$2` the start of the period, `$3` the first day on which a device must have been
 * seen, `$4` the plan price or version to filter by.
 */
interface DashboardList {
  /** SQL: the tables of the list. Counting and listing use the same SQL, so that their results agree. */
  readonly from: string;
  readonly where: string;
  /** Table to count if the joined tables don't affect the count. */
  readonly counted?: string;
  readonly columns: Readonly<Partial<Record<keyof DashboardFacts, string>> & Record<"id" | "at", string>>;
  readonly order: string;
  readonly what: (facts: DashboardFacts) => string;
}

const trialList = {
  from: "licences l",
  columns: { id: "l.id", at: "l.created_at", licenceId: "l.id", isMarked: isConvertedSql },
  order: "l.created_at desc, l.id desc",
  what: ({ isMarked }: DashboardFacts) => (isMarked ? "Started a trial, has subscribed since" : "Started a trial"),
} as const;
const startedInPeriod = `${isTrialSql} and l.created_at >= $2::timestamptz and l.created_at <= $1::timestamptz`;

const subscriptionList = {
  from: `subscriptions s join licences l on l.id = s.licence_id left join plan_prices p on p.id = s.plan_price
         left join plans n on n.slug = p.plan_slug`,
  counted: "subscriptions s",
  columns: {
    id: "s.id",
    at: "s.started_at",
    licenceId: "l.id",
    plan: `coalesce(n.name || ', ' || p."interval", s.plan_price)`,
    monthlyCents: `round(${monthlyCentsSql})::int`,
    isMarked: "s.is_cancelled_at_period_end",
  },
  order: "s.started_at desc, s.id desc",
  what: ({ plan, monthlyCents: cents, isMarked }: DashboardFacts) =>
    `${plan}${cents === null ? "" : `, ${formatAud(cents)} a month`}${isMarked ? ", ends with the current period" : ""}`,
} as const;

/** Returns SQL for a column of the cancellation in force of subscription `s`. */
const ofCancellation = (column: string) =>
  `(select ${column} from subscription_cancellations c where c.subscription_id = s.id and c.withdrawn_at is null)`;

/** SQL: when the customer or staff cancelled subscription `s`, which ends with its period; null if neither did. */
const cancelledAtSql = `greatest(${ofCancellation("c.cancelled_at")}, (
  select max(a.finished_at) from subscription_actions a
   where a.subscription_id = s.id and a.kind = 'CANCEL_AT_PERIOD_END' and a.status = 'DONE'))`;

/** Query for each list. Each one uses its own index (migrations 0020 and 0027). */
const dashboardQueries: Record<DashboardListName, DashboardList> = {
  "trials-started": { ...trialList, where: startedInPeriod },
  "trials-converted": { ...trialList, where: `${startedInPeriod} and ${isConvertedSql}` },
  "subscriptions-active": {
    ...subscriptionList,
    where: `${isActiveNowSql} and ($4::text is null or s.plan_price = $4)`,
  },
  "subscriptions-leaving": {
    ...subscriptionList,
    where: `${isActiveNowSql} and s.is_cancelled_at_period_end`,
    columns: {
      ...subscriptionList.columns,
      at: "s.current_period_ends_at",
      detail: ofCancellation("c.reason"),
      cancelledOn: `${toDay(cancelledAtSql)}::text`,
    },
    order: `${cancelledAtSql} desc nulls last, s.id desc`,
    what: (facts) =>
      [
        subscriptionList.what(facts),
        facts.cancelledOn && `cancelled on ${formatDay(facts.cancelledOn)}`,
        facts.detail && labelCancellationReason(facts.detail),
      ]
        .filter(Boolean)
        .join(", "),
  },
  "subscriptions-past-due": {
    ...subscriptionList,
    where: isPastDueNowSql,
    columns: { ...subscriptionList.columns, at: paidUntilSql },
    order: `${paidUntilSql}, s.id`,
    what: (facts) => `${subscriptionList.what(facts)}, payment overdue`,
  },
  "subscriptions-begun": {
    ...subscriptionList,
    where: `s.started_at >= $2::timestamptz and s.started_at <= $1::timestamptz`,
    what: ({ plan, monthlyCents: cents }) => `${plan}${cents === null ? "" : `, ${formatAud(cents)} a month`}`,
  },
  "subscriptions-ended": {
    ...subscriptionList,
    where: `s.status = 'cancelled' and ${endedAtSql} >= $2::timestamptz and ${endedAtSql} <= $1::timestamptz`,
    columns: { ...subscriptionList.columns, at: endedAtSql },
    order: `${endedAtSql} desc, s.id desc`,
    what: ({ plan }) => `${plan} ended`,
  },
  "licences-expiring": {
    from: "licences l",
    where: isExpiringSql(EXPIRING_DAYS),
    columns: { id: "l.id", at: "l.expires_at", licenceId: "l.id", productLevel: "l.product_level" },
    order: "l.expires_at, l.id",
    what: ({ productLevel }) => `${findLabel(productLevels, productLevel ?? 0)} licence expires without renewal`,
  },
  "blocked-attempts": {
    from: "licence_events e join licences l on l.id = e.licence_id",
    where: `e.result_code = ${ResultCode.MACHINE_BLOCKED} and e.at >= $2::timestamptz and e.at <= $1::timestamptz`,
    columns: { id: "e.id", at: "e.at", licenceId: "l.id", machineName: "e.machine_name", ip: "e.ip" },
    order: "e.at desc, e.id desc",
    what: ({ machineName, ip }) =>
      `${formatMachineName(machineName ?? "A machine")} is blocked and made a request${ip ? ` from ${ip}` : ""}`,
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
    what: ({ machineName, detail }) => `${formatMachineName(machineName ?? "")} runs ${detail}`,
  },
};

/**
 * Returns a page of the records that a dashboard figure counts, and their total. `search` matches the beginnings of
 * words in the user's name, company and email.
 * @throws AppError UNAVAILABLE if the query times out.
 */
export async function listDashboard(
  context: Context,
  request: {
    list: DashboardListName;
    days: number;
    only?: string | undefined;
    search?: string | undefined;
    offset: number;
    limit: number;
  },
): Promise<PageOf<DashboardRow>> {
  const { list, days, only, search, offset, limit } = request;
  const { from, counted: countedTable = from, where, columns, order, what } = dashboardQueries[list];
  const now = context.clock.now();
  const words = toSearchPattern(search);
  const searchCondition = words === null ? "" : `and (${searchedUserText}) ~* $5`;
  // Every statement mentions all parameters, because PostgreSQL must know the type of each.
  const parameterTypes = `$1::timestamptz is not null and $2::timestamptz is not null and $3::date is not null
                 and ($4::text is null or true)`;
  const values = [
    now,
    createPeriod(now, days).from,
    getSeenSince(now),
    only || null,
    ...(words === null ? [] : [words]),
  ];
  type Row = DashboardFacts & { id: string; atMs: number; userId: string };
  const facts = factNames.map((name) => `${columns[name] ?? "null"} as "${name}"`).join(", ");
  // The statements are not prepared, so that PostgreSQL can exclude partitions based on the actual times.
  const [{ rows }, counted] = await explainTimeout(() =>
    Promise.all([
      context.reads.query<Row>(
        `select ${columns.id}::text as id, (extract(epoch from ${columns.at}) * 1000)::float8 as "atMs",
              u.id as "userId", ${facts}
         from ${from} join users u on u.id = l.user_id where ${where} and ${parameterTypes} ${searchCondition}
        order by ${order} offset $${values.length + 1}::int limit $${values.length + 2}::int`,
        [...values, offset, limit],
      ),
      context.reads.query<{ total: number }>(
        `select count(*)::int as total from ${words === null ? countedTable : `${from} join users u on u.id = l.user_id`}
        where ${where} and ${parameterTypes} ${searchCondition}`,
        values,
      ),
    ]),
  );
  const users = await context.em.find(User, { id: { $in: rows.map(({ userId }) => userId) } });
  // Of staff, only support sees IP addresses.
  const hidesAddresses = lacksStaffRole(context.actor, ["support"]);
  const listed = rows.flatMap((row) => {
    const user = users.find(({ id }) => id === row.userId);
    const { id, atMs, licenceId } = row;
    const text = what(hidesAddresses ? { ...row, ip: null } : row);
    return user ? [{ id, at: new Date(atMs), what: text, licenceId, user }] : [];
  });
  return buildCountedPage(listed, { offset, total: counted.rows[0]?.total ?? 0 });
}
