import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { InferType } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { LEAK_DAYS, leakSigns, LISTED_SIGNS, findLeakSigns, type LeakMeasures, type LeakSign } from "#schema/leaks.ts";
import {
  attentionFilterRules,
  type AttentionListName,
  attentionLists,
  MAX_COUNTED,
  MAX_LISTED,
} from "#schema/attention.ts";
import { searchedUserText } from "#api/billing/subscriptions/list-subscriptions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { toSearchPattern } from "#api/platform/database/database.ts";
import { Allow, createPage, createType, enumType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, createReadCost, buildCountedPage, PageArgs, toRowRange } from "#api/platform/graphql/page.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import { lacksStaffRole, requireStaffRole } from "#api/platform/graphql/staff-role.ts";
import { type AttentionFacts, attentionQueries, factTypes } from "./attention-lists.ts";

const AttentionCount = createType(
  "AttentionCount",
  "admin",
  "The number of rows in a list of items that need attention.",
  {
    list: field.choice<AttentionListName>(attentionLists, "The list."),
    count: field.integer(`Number of rows, up to ${MAX_COUNTED}.`),
    isCapped: field.flag("Whether there are more rows than `count`."),
  },
);
type AttentionCount = InstanceType<typeof AttentionCount>;

export const LeakEvidence = createType(
  "LeakEvidence",
  "admin",
  `What the requests of a licence in ${LEAK_DAYS} days say about whether strangers use its code.`,
  {
    signs: field.choices(leakSigns, `The measurements that are signs; ${LISTED_SIGNS} list a licence.`),
    networks: field.integer("Number of networks (IPv4 /24, IPv6 /48)."),
    machines: field.integer("Number of machine names."),
    permittedMachines: field.integer("Number of machines that the licence permits."),
    hours: field.integer("Most hours of the day, 0 to 24, in which one device sent requests."),
    clones: field.integer("Number of devices whose hardware keeps alternating."),
    askedAt: fieldOrNull.moment("When staff last asked the customer by email, in UTC."),
  },
);

export const AttentionRow = createType("AttentionRow", "admin", "An item that needs attention.", {
  id: field.id("Unique ID."),
  list: field.choice<AttentionListName>(attentionLists, "The list."),
  at: field.moment("The time the event happened or will happen, in UTC."),
  what: field.text("A description of the item."),
  licenceId: fieldOrNull.id("The licence concerned. Null if there is none."),
  user: field.object(() => User, "The user concerned.", { access: Scope("users:read") }),
  subscriptionId: fieldOrNull.id("The past due subscription of a failed renewal."),
  amountCents: fieldOrNull.integer("Unpaid amount in cents including GST."),
  reason: fieldOrNull.text("The bank's reason for the failed payment, in words."),
  nextRetryAt: fieldOrNull.moment("The time of the next automatic attempt to pay, in UTC."),
  leak: fieldOrNull.object(() => LeakEvidence, "The evidence of a leaked licence.", { access: Scope("reports:read") }),
});
export type AttentionRow = InstanceType<typeof AttentionRow>;

export const AttentionPage = createPage(
  "AttentionPage",
  "admin",
  "A page of items that need attention, most urgent first.",
  { rows: field.list(() => AttentionRow, "The items of the page.", { access: Scope("reports:read") }) },
);
export type AttentionPage = InstanceType<typeof AttentionPage>;

const AttentionFilter = createInput("AttentionFilter", attentionFilterRules, {
  description: "Search of a list.",
  fields: { search: "Text to find at word starts in the user's name, company or email." },
});

@Resolver()
export class AttentionResolver {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => [AttentionCount], {
    description: "Counts the rows of each list of items that need attention.",
    complexity: createReadCost(60),
  })
  async attention(@Ctx() context: Context): Promise<AttentionCount[]> {
    return countAttention(context);
  }

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Query(() => AttentionPage, {
    description: "Returns a page of one of the lists that `attention` counts.",
    complexity: createPageCost(60),
  })
  async attentionList(
    @Arg("list", enumType(attentionLists), { description: "The list." }) list: AttentionListName,
    @CheckedArg("filter", AttentionFilter, { defaultValue: {} }) filter: InferType<typeof attentionFilterRules>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<AttentionPage> {
    return listAttention(context, { list, ...filter, ...toRowRange(page) });
  }
}

@Resolver(() => User)
export class AttentionOfUserResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => [AttentionRow], {
    description: "What needs attention about the user: at most five rows of each list that `attention` counts.",
    complexity: createReadCost(60),
  })
  async attention(@Root() user: User, @Ctx() context: Context): Promise<AttentionRow[]> {
    return loadAttentionOfUser(context, user);
  }
}

/** What suggests that a licence code leaked, and when staff last asked the customer. */
type LeakEvidence = LeakMeasures & { signs: LeakSign[]; askedAt: Date | null };

/** Returns the lists that the caller may see. */
function listVisible({ actor }: Context): (typeof attentionLists)[number][] {
  return attentionLists.filter(({ value }) => !lacksStaffRole(actor, attentionQueries[value].roles ?? customerStaff));
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
  return lists.map(({ value }) => {
    const count = rows[0]?.[value] ?? 0;
    return { list: value, count: Math.min(count, MAX_COUNTED), isCapped: count > MAX_COUNTED };
  });
}

/**
 * Returns a page of one list, most urgent first. `search` matches the beginnings of words in the user's name, company
 * or email.
 * @throws AppError FORBIDDEN for a list of other roles
 */
export async function listAttention(
  context: Context,
  request: { list: AttentionListName; search?: string | undefined; offset: number; limit: number },
): Promise<AttentionPage> {
  const { list, search, offset, limit } = request;
  requireStaffRole(attentionQueries[list].roles ?? customerStaff, context.actor);
  const words = toSearchPattern(search);
  const narrowed = words === null ? "" : `and (${searchedUserText}) ~* $2`;
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
  const items = rows.flatMap((row) => {
    const user = users.find((one) => one.id === row.userId);
    return user ? [toItem(context, row, user)] : [];
  });
  const total = counted.rows[0]?.count ?? 0;
  return buildCountedPage(items, { offset, total, capped: { most: MAX_LISTED, limit } });
}

/** Rows of each list that a user's page shows. */
const MAX_OF_USER = 5;

/** Returns the rows of all lists that concern a user, in the order of the lists. Users of the same tick share the statement. */
const loadAttentionOfUser = createLoader(async (context: Context, users: readonly User[]) => {
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
  readonly userId: string;
};

/** Builds the SQL that reads the rows of a list, the most urgent first. `narrowed` is a further condition. */
function buildRowsQuery(list: AttentionListName, narrowed: string): string {
  const { from, facts = "", user, where, columns, order } = attentionQueries[list];
  const selected = Object.entries(factTypes).map(
    ([name, type]) => `${columns[name as keyof AttentionFacts] ?? `null::${type}`} as "${name}"`,
  );
  return `select '${list}' as list, ${columns.id}::text as id, (extract(epoch from ${columns.at}) * 1000)::float8 as "atMs",
                 u.id as "userId", ${selected.join(", ")}
            from ${from} ${user} ${facts} where ${where} ${narrowed}
           order by ${order}`;
}

function toItem({ actor }: Context, row: FoundRow, user: User): AttentionRow {
  const { id, list, licenceId, subscriptionId, amountCents, reason } = row;
  // Of staff, only support sees IP addresses.
  const what = attentionQueries[list].describe(lacksStaffRole(actor, ["support"]) ? { ...row, ip: null } : row);
  const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
  const at = new Date(row.atMs);
  const nextRetryAt = toDate(row.nextRetryMs);
  const leak = row.leak && { ...row.leak, signs: findLeakSigns(row.leak), askedAt: toDate(row.askedMs) };
  return { id, list, at, what, licenceId, user, subscriptionId, amountCents, reason, nextRetryAt, leak };
}

function buildCountQuery(list: AttentionListName, { narrowed = "", most = MAX_COUNTED } = {}): string {
  const { from, user, where } = attentionQueries[list];
  const joined = narrowed === "" ? "" : user;
  return `select count(*) from (select from ${from} ${joined} where ${where} ${narrowed} limit ${most + 1}) counted`;
}
