import { attentionLists, type AttentionListName } from "#schema/attention-lists.ts";
import { attentionListRules, MOST_COUNTED, MOST_LISTED } from "#schema/rules/attention.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { type AttentionFacts, attentionQueries } from "./attention-lists.ts";

/** How many rows a list has. */
export interface AttentionTally {
  readonly list: AttentionListName;
  /** At most {@link MOST_COUNTED}, or {@link MOST_LISTED} for one list. */
  readonly count: number;
  /** There are more than `count`. */
  readonly isCapped: boolean;
}

/** A row of a list. */
export interface AttentionFound {
  readonly id: string;
  readonly at: Date;
  readonly what: string;
  readonly licenceId: string | null;
  readonly user: User;
}

/** How many rows each list has at this moment, in one statement; none is counted beyond {@link MOST_COUNTED}. */
export async function countAttention(context: Context): Promise<AttentionTally[]> {
  const counts = attentionLists.map((list) => `(${countOf(list)})::int as "${list}"`);
  const { rows } = await context.pool.query<Record<AttentionListName, number>>({
    name: "attention",
    text: `select ${counts.join(", ")}`,
    values: [context.clock.now()],
  });
  return attentionLists.map((list) => tally(list, rows[0]?.[list] ?? 0));
}

/**
 * A page of one list, most urgent first; `search` narrows it to users whose name, company or email has a word that
 * begins so.
 * @throws AppError BAD_USER_INPUT for an unknown list, or a part that cannot be.
 */
export async function listAttention(
  context: Context,
  asked: { list: string; search?: string | null | undefined; offset: number; limit: number },
): Promise<AttentionTally & { rows: AttentionFound[] }> {
  const { list, search, offset, limit } = check(attentionListRules, asked);
  const { from, user: joined, where, columns, order, what } = attentionQueries[list];
  const words = search ? `\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}` : null;
  const narrowed =
    words === null ? "" : `and (u.first_name || ' ' || u.last_name || ' ' || u.company_name || ' ' || u.email) ~* $2`;
  const values = [context.clock.now(), ...(words === null ? [] : [words])];
  const name = `attention-${list}${words === null ? "" : "-search"}`;
  type Row = AttentionFacts & { id: string; atMs: number; licenceId: string | null; userId: string };
  const at = `(extract(epoch from ${columns.at}) * 1000)::float8`;
  const { rows } = await context.pool.query<Row>({
    name,
    text: `select ${columns.id}::text as id, ${at} as "atMs", u.id as "userId", ${columns.licenceId ?? "null::uuid"} as "licenceId",
                  ${columns.productLevel ?? "null::int"} as "productLevel", ${columns.machineName ?? "null"} as "machineName",
                  ${columns.ip ?? "null"} as ip
             from ${from} ${joined} where ${where} ${narrowed}
            order by ${order} offset $${values.length + 1}::int limit $${values.length + 2}::int`,
    values: [...values, offset, limit],
  });
  const counted = await context.pool.query<{ count: number }>({
    name: `${name}-count`,
    text: `select (${countOf(list, { narrowed, most: MOST_LISTED })})::int as count`,
    values,
  });
  const users = await context.em.find(User, { id: { $in: rows.map(({ userId }) => userId) } });
  return {
    ...tally(list, counted.rows[0]?.count ?? 0, MOST_LISTED),
    rows: rows.flatMap(({ id, atMs, userId, licenceId, ...facts }) => {
      const user = users.find((one) => one.id === userId);
      return user ? [{ id, at: new Date(atMs), what: what(facts), licenceId, user }] : [];
    }),
  };
}

function countOf(list: AttentionListName, { narrowed = "", most = MOST_COUNTED } = {}): string {
  const { from, user, where } = attentionQueries[list];
  const joined = narrowed === "" ? "" : user;
  return `select count(*) from (select from ${from} ${joined} where ${where} ${narrowed} limit ${most + 1}) counted`;
}

function tally(list: AttentionListName, count: number, most = MOST_COUNTED): AttentionTally {
  return { list, count: Math.min(count, most), isCapped: count > most };
}
