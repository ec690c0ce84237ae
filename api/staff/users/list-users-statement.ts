import { parseSearch, type SearchTerm } from "#schema/search.ts";
import type { UserSort } from "#schema/user-list.ts";
import { parseSupportCode } from "#api/licensing/licences/licence-code.ts";
import type { SearchStrategy } from "./search-strategy.ts";

/**
 * Filter of the user list. The list never includes deleted accounts or registrations with an address that already had
 * an account: neither has a sign-in email.
 */
export interface UserListFilter {
  readonly search?: string | undefined;
  /** Member types; all if omitted. */
  readonly userTypes?: readonly number[] | undefined;
  readonly joinedFrom?: Date | undefined;
  /** End of the range, exclusive. */
  readonly joinedBefore?: Date | undefined;
  /** True by default. */
  readonly includeArchived?: boolean | undefined;
  /** IDs of the only users to include; all if omitted. */
  readonly userIds?: readonly string[] | undefined;
}

/** Order and page: `limit` rows, starting `offset` rows after the cursor `after`. */
export interface UserListPage {
  readonly sortBy: UserSort;
  readonly descending: boolean;
  /** Counts `offset` from the end of the list. The order of the rows stays the same. */
  readonly fromEnd?: boolean;
  readonly after?: UserCursor | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Position of a row in a sorted list: its sort keys as text, and its id. */
export interface UserCursor {
  readonly keys: readonly string[];
  readonly id: string;
}

/** SQL text with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

interface PlannedStatement extends Statement {
  /** True if one query plan suits all parameter values, so that the statement can be prepared under a name. */
  readonly keepsPlan: boolean;
}

/** Up to this offset, reading skipped rows is cheaper than a second lookup by id. */
const MAX_OFFSET_READ_IN_FULL = 100;

/** Highest total counted with each page. {@link buildUserCountStatement} can count further. */
export const MAX_COUNTED = 10_000;

/** Sort expression with the SQL that converts it to text and back. */
interface SortKey {
  readonly by: string;
  readonly asText: string;
  readonly fromText: string;
  readonly isName?: boolean;
}

const nameKey = (column: string): SortKey => {
  const by = `lower(u.${column})`;
  return { by, asText: by, fromText: "::text", isName: true };
};
const flagKey = (by: string): SortKey => ({ by, asText: `(${by})::text`, fromText: "::boolean" });
const joinedKey: SortKey = {
  by: "u.registered_at",
  // Precise to the microsecond and independent of the session's time zone.
  asText: "(u.registered_at at time zone 'UTC')::text",
  fromText: "::timestamp at time zone 'UTC'",
};

/** Sort keys of each sort order, matching its index (migration 0015). The id is always the last key. */
const orders: Readonly<Record<UserSort, readonly SortKey[]>> = {
  FIRST_NAME: [nameKey("first_name")],
  LAST_NAME: [nameKey("last_name")],
  COMPANY: [nameKey("company_name")],
  EMAIL: [nameKey("email")],
  USER_TYPE: [{ by: "u.member_type", asText: "u.member_type::text", fromText: "::smallint" }, joinedKey],
  DATE_JOINED: [joinedKey],
  ACTIVE: [flagKey("(u.archived_at is null)"), joinedKey],
  EMAIL_CONFIRMED: [flagKey("(u.email_confirmed_at is not null)"), joinedKey],
};

/** Returns whether an order is one of names, in which users with the same name follow each other. */
export const isNameOrder = (sortBy: UserSort): boolean => orders[sortBy][0]?.isName === true;

/**
 * Builds the query for a page of users in the requested order. Each row also has its sort columns, which {@link
 * buildOrderBy} uses, and its `cursorKeys`. For rows that `offset` skips, PostgreSQL reads only ids, from an index if
 * possible. With a cursor, every page costs the same.
 * @param columns trusted SQL that reads from the table `u`
 * @param strategy search strategy; has no effect without search words
 */
export function buildUserListStatement(
  wanted: UserListFilter,
  part: UserListPage,
  columns: string,
  strategy: SearchStrategy,
): PlannedStatement {
  const conditions = buildConditions(wanted, strategy);
  const { values, bind } = conditions;
  const places = getSortExpressions(part).map((place, index) => `${place} as place${index}`);
  const cursorKeys = orders[part.sortBy].map((key) => key.asText);
  const chosen = `${columns}, ${places.join(", ")}, array[${cursorKeys.join(", ")}] as "cursorKeys"`;
  const source = buildFromClause(conditions, { also: afterCursor(part, bind), isByName: isNameOrder(part.sortBy) });
  const order = buildOrderBy(part, undefined, part.fromEnd);
  const limit = `limit ${bind(part.limit)}::int offset ${bind(part.offset)}::int`;
  const text =
    part.offset > MAX_OFFSET_READ_IN_FULL
      ? `select ${chosen} from (select u.id, ${places.join(", ")} ${source} ${order} ${limit}) part
           join users u on u.id = part.id ${buildOrderBy(part, "part", part.fromEnd)}`
      : `select ${chosen} ${source} ${order} ${limit}`;
  return { text, values, keepsPlan: conditions.keepsPlan };
}

/** Returns a row of {@link buildUserListStatement} without its sort columns and cursor keys. */
export function omitSortColumns<Row extends object>(row: Row & { readonly cursorKeys: readonly string[] }): Row {
  const { cursorKeys: _keys, place0: _0, place1: _1, place2: _2, ...chosen } = row as Record<string, unknown>;
  return chosen as Row;
}

/** Returns the `order by` clause for the sort columns of {@link buildUserListStatement}. */
export function buildOrderBy(part: UserListPage, row?: string, reversed = false): string {
  const direction = part.descending === reversed ? "asc" : "desc";
  const names = getSortExpressions(part).map((_, index) => `${row ? `${row}.` : ""}place${index} ${direction}`);
  return `order by ${names.join(", ")}`;
}

const getSortExpressions = ({ sortBy }: UserListPage) => [...orders[sortBy].map(({ by }) => by), "u.id"];

function afterCursor(part: UserListPage, bind: (value: unknown) => string): string[] {
  if (!part.after) return [];
  const { keys, id } = part.after;
  const from = orders[part.sortBy].map(({ fromText }, index) => `${bind(keys[index] ?? "")}::text${fromText}`);
  const past = part.descending ? "<" : ">";
  return [`(${getSortExpressions(part).join(", ")}) ${past} (${[...from, `${bind(id)}::uuid`].join(", ")})`];
}

/** Builds the query that counts the users in the list as `total`, up to `most`; null counts all of them. */
export function buildUserCountStatement(
  wanted: UserListFilter,
  strategy: SearchStrategy = "planned",
  most: number | null = MAX_COUNTED + 1,
): PlannedStatement {
  // Leave the count of common words to the planner, which has statistics about them.
  const conditions = buildConditions(wanted, strategy === "walked" ? "planned" : strategy);
  return {
    keepsPlan: conditions.keepsPlan,
    text: `select count(*)::int as total from (select ${buildFromClause(conditions)} ${most === null ? "" : `limit ${most}`}) counted`,
    values: conditions.values,
  };
}

/** Builds the query for the IDs and email addresses of up to `limit` listed users, by ID, after the user `afterId`. */
export function buildUserIdsStatement(wanted: UserListFilter, afterId: string, limit: number): Statement {
  const conditions = buildConditions(wanted, "planned");
  const { values, bind } = conditions;
  const source = buildFromClause(conditions, { also: [`u.id > ${bind(afterId)}::uuid`] });
  return { text: `select u.id, u.email ${source} order by u.id limit ${bind(limit)}::int`, values };
}

/** Builds the part of a query from `from` to `order by` for all users in the list, in its order. */
export function buildUserSource(
  wanted: UserListFilter,
  { sortBy, descending }: Pick<UserListPage, "sortBy" | "descending">,
): Statement {
  const conditions = buildConditions(wanted, "planned");
  const direction = descending ? "desc" : "asc";
  const order = [...orders[sortBy].map(({ by }) => by), "u.id"].map((key) => `${key} ${direction}`);
  return { text: `${buildFromClause(conditions)} order by ${order.join(", ")}`, values: conditions.values };
}

// For `walked`, the function behind the operator `@@` keeps PostgreSQL from using the word index.
const matchByStrategy: Readonly<Record<SearchStrategy, (query: string) => string>> = {
  planned: (query) => `u.search @@ ${query}`,
  "looked-up": (query) => `u.search @@ (select ${query})`,
  walked: (query) => `ts_match_vq(u.search, (select ${query}))`,
};

/** SQL conditions on the table `u`: the word match, and all other filters. */
interface Conditions {
  readonly strategy: SearchStrategy;
  readonly found: string | null;
  readonly narrowing: readonly string[];
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
  readonly keepsPlan: boolean;
}

function buildConditions(wanted: UserListFilter, strategy: SearchStrategy): Conditions {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const narrowing: string[] = [];
  const types = [...new Set(wanted.userTypes)];
  // With a condition on a single type, its index also provides the order.
  if (types.length === 1) narrowing.push(`u.member_type = ${bind(types[0])}::smallint`);
  else if (types.length === 2) narrowing.push(`u.member_type = any(${bind(types)}::smallint[])`);
  if (wanted.userIds) narrowing.push(`u.id = any(${bind(wanted.userIds)}::uuid[])`);
  if (wanted.includeArchived === false) narrowing.push("u.archived_at is null");
  if (wanted.joinedFrom) narrowing.push(`u.registered_at >= ${bind(wanted.joinedFrom.toISOString())}::timestamptz`);
  if (wanted.joinedBefore) narrowing.push(`u.registered_at < ${bind(wanted.joinedBefore.toISOString())}::timestamptz`);
  const words = toUserSearchQuery(wanted.search ?? "");
  let found: string | null = null;
  if (words !== null) {
    found = matchByStrategy[strategy](`to_tsquery('simple', ${bind(words)}::text)`);
    const supportCode = parseSupportCode(wanted.search ?? "");
    const owners = "select l.user_id from licences l where l.support_code =";
    if (supportCode) found = `(${found} or u.id = any(array(${owners} ${bind(supportCode)})))`;
  }
  const isDated = wanted.joinedFrom !== undefined || wanted.joinedBefore !== undefined;
  const isUniform = !isDated && types.length < 2 && (words === null || strategy === "walked");
  return {
    strategy,
    found,
    narrowing,
    values,
    bind,
    keepsPlan: isUniform || (words !== null && strategy === "looked-up"),
  };
}

/** Builds the `from` and `where` clauses. `offset 0` makes PostgreSQL evaluate the subquery before other filters and sorting. */
function buildFromClause(
  { strategy, found, narrowing }: Conditions,
  { also = [], isByName = false }: { also?: readonly string[]; isByName?: boolean } = {},
): string {
  const inList = ["u.sign_in_email is not null", ...(found === null ? [] : [found])];
  const rest = [...narrowing, ...also];
  const where = (conditions: readonly string[]) => (conditions.length > 0 ? `where ${conditions.join(" and ")}` : "");
  // The words match few users, so the word index is the best choice, and one plan suits any other filters.
  if (found !== null && strategy === "looked-up")
    return `from (select u.* from users u ${where(inList)} offset 0) u ${where(rest)}`;
  const source = `from users u ${where([...inList, ...rest])}`;
  // Users called Smith are adjacent in name order. PostgreSQL assumes they are scattered and would scan the names
  // from the beginning to reach them.
  return found !== null && strategy === "planned" && isByName ? `from (select u.* ${source} offset 0) u` : source;
}

/** Converts search text to the syntax of `to_tsquery`; null if it has no words. */
export function toUserSearchQuery(search: string): string | null {
  const parts = parseSearch(search).map(({ terms, number }) => {
    const all = terms.map(toTermQuery).join(" & ");
    return number === null ? all : `((${all}) | ${quoteWord(number, false)})`;
  });
  return parts.length > 0 ? parts.join(" & ") : null;
}

function toTermQuery({ words, isWhole, number }: SearchTerm): string {
  const phrase = words.map((one, index) => quoteWord(one, isWhole || index < words.length - 1)).join(" <-> ");
  if (number === null || words.length === 1) return phrase;
  return `(${phrase} | ${quoteWord(number, isWhole)})`;
}

// Words can't contain quotes: parseSearch removes all punctuation.
function quoteWord(text: string, whole: boolean): string {
  return whole ? `'${text}'` : `'${text}':*`;
}
