import type { AttentionCount, AttentionRow } from "./attention.resolver.ts";
import {
  type AttentionListName,
  attentionListRules,
  attentionLists,
  MAX_COUNTED,
  MAX_LISTED,
} from "#schema/attention.ts";
import { findLeakSigns, type LeakMeasures, type LeakSign } from "#schema/leaks.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { hasAnyRole, requireStaffRole } from "#api/platform/graphql/staff-role.ts";
import { check } from "#api/platform/validate.ts";
import { type AttentionFacts, attentionQueries } from "./attention-lists.ts";

/** What suggests that a licence code leaked, and when staff last asked the customer. */
type LeakEvidence = LeakMeasures & { signs: LeakSign[]; askedAt: Date | null };

/** Returns the lists that the caller may see. */
function listVisible({ actor }: Context): (typeof attentionLists)[number][] {
  return attentionLists.filter(({ value }) => {
    const { roles = customerStaff } = attentionQueries[value];
    return !actor || hasAnyRole(actor, roles);
  });
}

/** Counts the rows of each list in one statement, up to {@link MAX_COUNTED} per list. */
export async function countAttention(context: Context): Promise<AttentionCount[]> {
  const lists = listVisible(context);
  const counts = lists.map(({ value }) => `(${buildCountQuery(value)})::int as "${value}"`);
  const { rows } = await context.reads.query<Record<AttentionListName, number>>({
    name: `attention-${lists.length}`,
    text: `select ${counts.join(", ")}`,
    values: [context.clock.now()],
  });
  return lists.map(({ value }) => toTally(value, rows[0]?.[value] ?? 0));
}

/**
 * Returns a page of one list, most urgent first. `search` matches the beginnings of words in the user's name, company
 * or email.
 * @throws AppError BAD_USER_INPUT if the list is unknown or the page is out of range; FORBIDDEN for a list of other roles.
 */
export async function listAttention(
  context: Context,
  request: { list: string; search?: string | null | undefined; offset: number; limit: number },
): Promise<AttentionCount & { rows: AttentionRow[] }> {
  const { offset, limit } = request;
  const { list, search } = check(attentionListRules, request);
  requireStaffRole(attentionQueries[list].roles ?? customerStaff, context.actor);
  const words = search ? `\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}` : null;
  const narrowed =
    words === null ? "" : `and (u.first_name || ' ' || u.last_name || ' ' || u.company_name || ' ' || u.email) ~* $2`;
  const values = [context.clock.now(), ...(words === null ? [] : [words])];
  const name = `attention-${list}${words === null ? "" : "-search"}`;
  const { rows } = await context.reads.query<FoundRow>({
    name,
    text: `${buildRowsQuery(list, narrowed)} offset $${values.length + 1}::int limit $${values.length + 2}::int`,
    values: [...values, offset, limit],
  });
  const counted = await context.reads.query<{ count: number }>({
    name: `${name}-count`,
    text: `select (${buildCountQuery(list, { narrowed, most: MAX_LISTED })})::int as count`,
    values,
  });
  const users = await context.em.find(User, { id: { $in: rows.map(({ userId }) => userId) } });
  return {
    ...toTally(list, counted.rows[0]?.count ?? 0, MAX_LISTED),
    rows: rows.flatMap((row) => {
      const user = users.find((one) => one.id === row.userId);
      return user ? [toItem(context, row, user)] : [];
    }),
  };
}

/** Rows of each list that a user's page shows. */
const MAX_OF_USER = 5;

/** Returns the rows of all lists that concern a user, in the order of the lists. Users of the same tick share the statement. */
export const loadAttentionOfUser = createLoader(async (context: Context, users: readonly User[]) => {
  const lists = listVisible(context);
  const branches = lists.map(({ value }) => `(${buildRowsQuery(value, "and u.id = o.id")} limit ${MAX_OF_USER})`);
  const { rows } = await context.pool.query<FoundRow>({
    name: `attention-of-users-${lists.length}`,
    text: `select found.* from unnest($2::uuid[]) o(id) cross join lateral (${branches.join(" union all ")}) found`,
    values: [context.clock.now(), users.map(({ id }) => id)],
  });
  return users.map((user) => rows.filter(({ userId }) => userId === user.id).map((row) => toItem(context, row, user)));
});

type FoundRow = AttentionFacts & {
  readonly id: string;
  readonly list: AttentionListName;
  readonly atMs: number;
  readonly licenceId: string | null;
  readonly userId: string;
};

/** Builds the SQL that reads the rows of a list, the most urgent first. `narrowed` is a further condition. */
function buildRowsQuery(list: AttentionListName, narrowed: string): string {
  const { from, facts = "", user, where, columns, order } = attentionQueries[list];
  return `select '${list}' as list, ${columns.id}::text as id, (extract(epoch from ${columns.at}) * 1000)::float8 as "atMs",
                 u.id as "userId", ${columns.licenceId ?? "null::uuid"} as "licenceId",
                 ${columns.productLevel ?? "null::int"} as "productLevel", ${columns.machineName ?? "null::text"} as "machineName",
                 ${columns.ip ?? "null::text"} as ip, ${columns.subscriptionId ?? "null::uuid"} as "subscriptionId",
                 ${columns.amountCents ?? "null::int"} as "amountCents", ${columns.reason ?? "null::text"} as reason,
                 ${columns.nextRetryMs ?? "null::float8"} as "nextRetryMs", ${columns.leak ?? "null::json"} as leak,
                 ${columns.askedMs ?? "null::float8"} as "askedMs"
            from ${from} ${user} ${facts} where ${where} ${narrowed}
           order by ${order}`;
}

function toItem({ actor }: Context, row: FoundRow, user: User): AttentionRow {
  const { id, list, atMs, licenceId, userId: _, ...found } = row;
  // Of staff, only support sees IP addresses.
  const facts = actor && hasAnyRole(actor, ["support"]) ? found : { ...found, ip: null };
  const { subscriptionId, amountCents, reason } = facts;
  const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
  const nextRetryAt = toDate(facts.nextRetryMs);
  const leak = facts.leak && { ...facts.leak, signs: findLeakSigns(facts.leak), askedAt: toDate(facts.askedMs) };
  const what = attentionQueries[list].describe(facts);
  const at = new Date(atMs);
  return { id, list, at, what, licenceId, user, subscriptionId, amountCents, reason, nextRetryAt, leak };
}

function buildCountQuery(list: AttentionListName, { narrowed = "", most = MAX_COUNTED } = {}): string {
  const { from, user, where } = attentionQueries[list];
  const joined = narrowed === "" ? "" : user;
  return `select count(*) from (select from ${from} ${joined} where ${where} ${narrowed} limit ${most + 1}) counted`;
}

function toTally(list: AttentionListName, count: number, most = MAX_COUNTED): AttentionCount {
  return { list, count: Math.min(count, most), isCapped: count > most };
}
