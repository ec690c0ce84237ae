import type { DashboardRow } from "./dashboard.types.ts";
import { dashboardListRules } from "#schema/dashboard.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { buildCountedPage, type PageOf } from "#api/platform/graphql/page.ts";
import { check } from "#api/platform/validate.ts";
import { explainTimeout } from "#api/staff/reports/report-preview.ts";
import { type DashboardFacts, dashboardQueries } from "./dashboard-lists.ts";
import { createPeriod } from "./dashboard-period.ts";
import { getSeenSince } from "./read-versions.ts";

/**
 * Returns a page of the records that a dashboard figure counts, and their total. `search` matches the beginnings of
 * words in the user's name, company and email.
 * @throws AppError BAD_USER_INPUT if the list, the period or the page is invalid, UNAVAILABLE if the query times out.
 */
export async function listDashboard(
  context: Context,
  request: {
    list: string;
    days: number;
    only?: string | null | undefined;
    search?: string | null | undefined;
    offset: number;
    limit: number;
  },
): Promise<PageOf<DashboardRow>> {
  const { offset, limit } = request;
  const { list, days, only, search } = check(dashboardListRules, request);
  const { from, counted: countedTable = from, where, columns, order, what } = dashboardQueries[list];
  const now = context.clock.now();
  const words = search ? `\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}` : null;
  const searchCondition =
    words === null ? "" : `and (u.first_name || ' ' || u.last_name || ' ' || u.company_name || ' ' || u.email) ~* $5`;
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
  type Row = DashboardFacts & { id: string; atMs: number; licenceId: string | null; userId: string; total: number };
  // The statements are not prepared, so that PostgreSQL can exclude partitions based on the actual times.
  const [{ rows }, counted] = await explainTimeout(() =>
    Promise.all([
      context.reads.query<Row>(
        `select ${columns.id}::text as id, (extract(epoch from ${columns.at}) * 1000)::float8 as "atMs", u.id as "userId",
              ${columns.licenceId ?? "null::uuid"} as "licenceId", ${columns.productLevel ?? "null::int"} as "productLevel",
              ${columns.plan ?? "null"} as plan, ${columns.monthlyCents ?? "null::int"} as "monthlyCents",
              ${columns.isMarked ?? "null::boolean"} as "isMarked", ${columns.machineName ?? "null"} as "machineName",
              ${columns.detail ?? "null"} as detail
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
  const listed = rows.flatMap(({ id, atMs, userId, licenceId, ...facts }) => {
    const user = users.find((one) => one.id === userId);
    return user ? [{ id, at: new Date(atMs), what: what(facts), licenceId, user }] : [];
  });
  return buildCountedPage(listed, { offset, total: counted.rows[0]?.total ?? 0 });
}
