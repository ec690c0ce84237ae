import type { BillingSubscription } from "./subscription.resolver.ts";
import type { Context } from "#api/platform/context.ts";
import type { SubscriptionFilterValues } from "#schema/staff-money.ts";
import { toSearchPattern } from "#api/platform/database/database.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { buildCountedPage, type PageOf, type RowRange } from "#api/platform/graphql/page.ts";
import { findPlanPrices, formatPlanPriceId } from "#api/billing/plans/plan.entity.ts";
import { addGst } from "#api/billing/plans/price-quote.ts";
import { carriedSql, nextNetSql } from "#api/billing/subscriptions/next-charge.ts";
import { isPastDueSql, isRunningSql, paidUntilSql } from "#api/billing/subscriptions/subscription.entity.ts";

/**
 * SQL lateral join: the latest attempt to charge the subscription with table alias `s` as `attempt`, with the columns
 * amount_cents, reason and next_retry_at. All of them are null without an attempt.
 */
export const latestAttemptSql = `left join lateral (
  select p.amount_cents, p.reason, p.next_retry_at from payment_attempts p
   where p.subscription_id = s.id order by p.at desc, p.id desc limit 1) attempt on true`;

/** Maximum number of rows that `total` counts. */
const MAX_COUNTED = 10_000;

/** Returns SQL for the status (`subscriptionStatuses`) of the subscription with table alias `s` at the time `now`. */
export const statusSql = (now: string) =>
  `case when not (${isRunningSql}) then 'ENDED' when ${isPastDueSql(now)} then 'PAST_DUE'
    when s.paused_until is not null then 'PAUSED' when s.is_cancelled_at_period_end then 'CANCELLING' else 'ACTIVE' end`;

/** Returns the SQL condition that a subscription is past due and has an attempt with a reason. */
export const isPastDueRowSql = (now: string) => `(${statusSql(now)} = 'PAST_DUE' and attempt.reason is not null)`;

/** SQL: end of the paid period, or of the subscription if it ended before that, for example with a refund. */
export const periodEndSql = `least(${paidUntilSql}, s.ended_at)`;

const NOW = "$1::timestamptz";

const columns = `s.id, u.id as "userId", u.first_name || ' ' || u.last_name as "userName", u.company_name as "companyName",
  u.email, s.plan_price as "planPrice", ${statusSql(NOW)} as status, s.amount_cents as "netCents",
  s.gst_basis_points as "gstBasisPoints", s.is_cancelled_at_period_end as "isCancelledAtPeriodEnd",
  ${nextNetSql} as "nextNetCents", ${carriedSql} as "carriedCents", s.started_at as "startedAt", ${periodEndSql} as "periodEndsAt",
  s.paused_until as "pausedUntil", l.id as "licenceId", least(l.expires_at, l.revoked_at) as "licenceExpiresAt",
  s.card_brand as "cardBrand", s.card_last4 as "cardLast4", attempt.amount_cents as "triedCents", attempt.reason,
  attempt.next_retry_at as "nextRetryAt"`;

const from = "subscriptions s join users u on u.id = s.user_id join licences l on l.id = s.licence_id";

type Found = Omit<BillingSubscription, "plan" | "amountCents" | "nextChargeCents" | "pastDueCents"> & {
  readonly planPrice: string;
  readonly netCents: number | null;
  readonly nextNetCents: number | null;
  readonly carriedCents: number;
  readonly gstBasisPoints: number;
  readonly triedCents: number | null;
};

/**
 * Returns a page of subscriptions, running ones first, by the end of their paid period.
 * @throws AppError BAD_USER_INPUT if the page or a filter is out of range.
 */
export async function listSubscriptions(
  context: Context,
  { search, statuses = [], offset, limit }: SubscriptionFilterValues & RowRange,
): Promise<PageOf<BillingSubscription>> {
  const values: unknown[] = [context.clock.now()];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = buildSubscriptionConditions({ search, statuses }, NOW, bind);
  const counted = await context.pool.query<{ count: number }>(
    `select count(*)::int as count from (select from ${from} where ${where} limit ${MAX_COUNTED + 1}) counted`,
    values,
  );
  const { rows } = await context.pool.query<Found>(
    `select ${columns} from ${subscriptionSource} where ${where}
      order by s.status = 'cancelled', ${periodEndSql}, s.id offset ${bind(offset)}::int limit ${bind(limit)}::int`,
    values,
  );
  const total = counted.rows[0]?.count ?? 0;
  return buildCountedPage(await toRows(context, rows), { offset, total, capped: { most: MAX_COUNTED, limit } });
}

/** SQL: text of the user `u` that searches of lists look in, with {@link toSearchPattern}. */
export const searchedUserText = "u.first_name || ' ' || u.last_name || ' ' || u.company_name || ' ' || u.email";

/** SQL after `from`: subscriptions with their users, licences and latest attempts. */
export const subscriptionSource = `${from} ${latestAttemptSql}`;

/**
 * Returns the SQL conditions of a filter.
 * @param now SQL expression of the current time
 * @param bind adds a value and returns its SQL
 */
export function buildSubscriptionConditions(
  { search, statuses = [] }: SubscriptionFilterValues,
  now: string,
  bind: (value: string | string[]) => string,
): string {
  const conditions = [`${now} is not null`];
  if (statuses.length > 0) conditions.push(`${statusSql(now)} = any(${bind(statuses)}::text[])`);
  const words = toSearchPattern(search);
  if (words) conditions.push(`(${searchedUserText}) ~* ${bind(words)}`);
  return conditions.join(" and ");
}

/** Returns a user's subscriptions, the newest first. */
export const subscriptionsOfUser = createLoader(
  async (context: Context, userIds: readonly string[]): Promise<BillingSubscription[][]> => {
    const found = await findBy(context, "s.user_id", userIds);
    return userIds.map((id) => found.filter(({ userId }) => userId === id));
  },
);

/** Loads a subscription by its ID, or null if there is none. */
export const loadSubscription = createLoader(
  async (context: Context, ids: readonly string[]): Promise<(BillingSubscription | null)[]> => {
    const found = await findBy(context, "s.id", ids);
    return ids.map((wanted) => found.find(({ id }) => id === wanted) ?? null);
  },
);

async function findBy(context: Context, column: string, ids: readonly string[]): Promise<BillingSubscription[]> {
  const { rows } = await context.pool.query<Found>(
    `select ${columns} from ${subscriptionSource} where ${column} = any($2::uuid[]) order by s.started_at desc, s.id`,
    [context.clock.now(), ids],
  );
  return toRows(context, rows);
}

async function toRows(context: Context, rows: readonly Found[]): Promise<BillingSubscription[]> {
  const prices = await findPlanPrices(
    context.em,
    rows.map(({ planPrice }) => planPrice),
  );
  // The pool returns times as text.
  const toDate = (moment: Date | null) => moment && new Date(moment);
  return rows.map(({ planPrice, netCents, nextNetCents, carriedCents, gstBasisPoints, triedCents, ...row }) => {
    const isPastDue = row.status === "PAST_DUE" && row.reason !== null;
    const isRenewing = row.status !== "ENDED" && !row.isCancelledAtPeriodEnd;
    return {
      ...row,
      plan: formatPlanPriceId(prices, planPrice),
      amountCents: netCents === null ? null : addGst(netCents, gstBasisPoints),
      nextChargeCents: isRenewing && nextNetCents !== null ? addGst(nextNetCents, gstBasisPoints) + carriedCents : null,
      startedAt: new Date(row.startedAt),
      periodEndsAt: new Date(row.periodEndsAt),
      pausedUntil: toDate(row.pausedUntil),
      licenceExpiresAt: new Date(row.licenceExpiresAt),
      pastDueCents: isPastDue ? triedCents : null,
      reason: isPastDue ? row.reason : null,
      nextRetryAt: isPastDue ? toDate(row.nextRetryAt) : null,
    };
  });
}
