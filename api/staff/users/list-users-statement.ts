import { searchParts, type SearchTerm } from "#schema/search-terms.ts";
import type { UserSort } from "#schema/rules/user-list.ts";
import { readSupportCode } from "#api/licensing/licences/licence-code.ts";
import type { SearchWay } from "./search-way.ts";

/**
 * Filter of the list of users. Deleted accounts and registrations under an address that already had an account are in no
 * list; neither has a name to sign in with.
 */
export interface UsersWanted {
  readonly search?: string | undefined;
  /** Member types; all when left out. */
  readonly userTypes?: readonly number[] | undefined;
  readonly joinedFrom?: Date | undefined;
  /** The first moment that is too late. */
  readonly joinedBefore?: Date | undefined;
  /** Default true. */
  readonly includeArchived?: boolean | undefined;
}

/** In which order, and which part: `limit` rows after `after` and `offset` more. */
export interface UsersPart {
  readonly sortBy: UserSort;
  readonly descending: boolean;
  /** Counts `offset` from the end of the list. The rows keep the list's order. */
  readonly fromEnd?: boolean;
  readonly after?: UserCursor | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A row's place in an order: what it is sorted by, as texts, and its id. */
export interface UserCursor {
  readonly keys: readonly string[];
  readonly id: string;
}

/** A statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
  /** Whether one plan is good for all values. Then it may have a name; else PostgreSQL is to plan for these values. */
  readonly keepsPlan?: boolean;
}

/** Rows that are read, though they are skipped, rather than looked up by their ids afterwards. */
const FEW = 100;

/** Highest total that is counted with each page; {@link countUsersStatement} counts further where that is asked for. */
export const MOST_COUNTED = 10_000;

/** Something to sort by, how it is told as text, and how that is read again. */
interface SortKey {
  readonly by: string;
  readonly told: string;
  readonly read: string;
  readonly isName?: boolean;
}

const nameIn = (column: string): SortKey => {
  const by = `lower(u.${column})`;
  return { by, told: by, read: "::text", isName: true };
};
const flag = (by: string): SortKey => ({ by, told: `(${by})::text`, read: "::boolean" });
const joined: SortKey = {
  by: "u.registered_at",
  // To the microsecond, and the same in any time zone.
  told: "(u.registered_at at time zone 'UTC')::text",
  read: "::timestamp at time zone 'UTC'",
};

/** What each order sorts by, as its index has it (migration 0015); the id comes last everywhere. */
const orders: Readonly<Record<UserSort, readonly SortKey[]>> = {
  FIRST_NAME: [nameIn("first_name")],
  LAST_NAME: [nameIn("last_name")],
  COMPANY: [nameIn("company_name")],
  EMAIL: [nameIn("email")],
  USER_TYPE: [{ by: "u.member_type", told: "u.member_type::text", read: "::smallint" }, joined],
  DATE_JOINED: [joined],
  ACTIVE: [flag("(u.archived_at is null)"), joined],
  EMAIL_CONFIRMED: [flag("(u.email_confirmed_at is not null)"), joined],
};

/**
 * The rows of a part of the list of users, in their order, each with its places, by which {@link orderOfUsers} sorts
 * them, and its `cursorKeys`. Of rows that `offset` skips the ids alone are read, in an index where that is possible; from a
 * cursor on, every part costs the same, however deep. As a part of a statement, keys that are not chosen cost nothing;
 * columns do, each a little.
 * @param columns SQL over the table `u`; never from outside.
 * @param way of a search, as {@link SearchWay} has it; without words it makes no difference.
 */
export function listUsersStatement(wanted: UsersWanted, part: UsersPart, columns: string, way: SearchWay): Statement {
  const asked = whereWanted(wanted, way);
  const { values, bind } = asked;
  const places = placesOf(part).map((place, index) => `${place} as place${index}`);
  const told = orders[part.sortBy].map((key) => key.told);
  const chosen = `${columns}, ${places.join(", ")}, array[${told.join(", ")}] as "cursorKeys"`;
  const source = usersFrom(asked, { also: afterCursor(part, bind), isByName: orders[part.sortBy][0]?.isName });
  const order = orderOfUsers(part, undefined, part.fromEnd);
  const limit = `limit ${bind(part.limit)}::int offset ${bind(part.offset)}::int`;
  const text =
    part.offset > FEW
      ? `select ${chosen} from (select u.id, ${places.join(", ")} ${source} ${order} ${limit}) part
           join users u on u.id = part.id ${orderOfUsers(part, "part", part.fromEnd)}`
      : `select ${chosen} ${source} ${order} ${limit}`;
  return { text, values, keepsPlan: asked.keepsPlan };
}

/** A row of {@link listUsersStatement} as its columns were chosen, without its places and keys. */
export function withoutPlaces<Row extends object>(row: Row & { readonly cursorKeys: readonly string[] }): Row {
  const { cursorKeys: _keys, place0: _0, place1: _1, place2: _2, ...chosen } = row as Record<string, unknown>;
  return chosen as Row;
}

/** `order by` over the places of a row, or the other way round. */
export function orderOfUsers(part: UsersPart, row?: string, reversed = false): string {
  const direction = part.descending === reversed ? "asc" : "desc";
  const names = placesOf(part).map((_, index) => `${row ? `${row}.` : ""}place${index} ${direction}`);
  return `order by ${names.join(", ")}`;
}

const placesOf = ({ sortBy }: UsersPart) => [...orders[sortBy].map(({ by }) => by), "u.id"];

function afterCursor(part: UsersPart, bind: (value: unknown) => string): string[] {
  if (!part.after) return [];
  const { keys: known, id } = part.after;
  const from = orders[part.sortBy].map(({ read }, index) => `${bind(known[index] ?? "")}::text${read}`);
  const past = part.descending ? "<" : ">";
  return [`(${placesOf(part).join(", ")}) ${past} (${[...from, `${bind(id)}::uuid`].join(", ")})`];
}

/** Counts the users in the list as `total`, up to `most`; null counts them all. */
export function countUsersStatement(
  wanted: UsersWanted,
  way: SearchWay = "planned",
  most: number | null = MOST_COUNTED + 1,
): Statement {
  // Of common words PostgreSQL knows how many there are, and so how to count them.
  const asked = whereWanted(wanted, way === "walked" ? "planned" : way);
  return {
    keepsPlan: asked.keepsPlan,
    text: `select count(*)::int as total from (select ${usersFrom(asked)} ${most === null ? "" : `limit ${most}`}) counted`,
    values: asked.values,
  };
}

// A function of the same name as the operator, of which the words' index knows nothing.
const findsBy: Readonly<Record<SearchWay, (query: string) => string>> = {
  planned: (query) => `u.search @@ ${query}`,
  "looked-up": (query) => `u.search @@ (select ${query})`,
  walked: (query) => `ts_match_vq(u.search, (select ${query}))`,
};

/** What is wanted as conditions over the table `u`: what the words find, and all that narrows it. */
interface Where {
  readonly way: SearchWay;
  readonly found: string | null;
  readonly narrowing: readonly string[];
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
  readonly keepsPlan: boolean;
}

function whereWanted(wanted: UsersWanted, way: SearchWay): Where {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const narrowing: string[] = [];
  const types = [...new Set(wanted.userTypes)];
  // One type is an equality, so that its index also gives the order.
  if (types.length === 1) narrowing.push(`u.member_type = ${bind(types[0])}::smallint`);
  else if (types.length === 2) narrowing.push(`u.member_type = any(${bind(types)}::smallint[])`);
  if (wanted.includeArchived === false) narrowing.push("u.archived_at is null");
  if (wanted.joinedFrom) narrowing.push(`u.registered_at >= ${bind(wanted.joinedFrom.toISOString())}::timestamptz`);
  if (wanted.joinedBefore) narrowing.push(`u.registered_at < ${bind(wanted.joinedBefore.toISOString())}::timestamptz`);
  const words = userSearchQuery(wanted.search ?? "");
  let found: string | null = null;
  if (words !== null) {
    found = findsBy[way](`to_tsquery('simple', ${bind(words)}::text)`);
    const supportCode = readSupportCode(wanted.search ?? "");
    const owners = "select l.user_id from licences l where l.support_code =";
    if (supportCode) found = `(${found} or u.id = any(array(${owners} ${bind(supportCode)})))`;
  }
  const isDated = wanted.joinedFrom !== undefined || wanted.joinedBefore !== undefined;
  const isAlike = !isDated && types.length < 2 && (words === null || way === "walked");
  return { way, found, narrowing, values, bind, keepsPlan: isAlike || (words !== null && way === "looked-up") };
}

/** `from` and `where`; what is fenced off by `offset 0` is found first, and then narrowed or sorted. */
function usersFrom(
  { way, found, narrowing }: Where,
  { also = [], isByName = false }: { also?: readonly string[]; isByName?: boolean | undefined } = {},
): string {
  const inList = ["u.sign_in_email is not null", ...(found === null ? [] : [found])];
  const rest = [...narrowing, ...also];
  const where = (conditions: readonly string[]) => (conditions.length > 0 ? `where ${conditions.join(" and ")}` : "");
  // Few are found, so that the index of words is the best whatever narrows them: one plan for all days and types.
  if (found !== null && way === "looked-up")
    return `from (select u.* from users u ${where(inList)} offset 0) u ${where(rest)}`;
  const source = `from users u ${where([...inList, ...rest])}`;
  // Who is called Smith stands together in the order of names: PostgreSQL, which takes words for scattered, would walk
  // through the whole alphabet to them.
  return found !== null && way === "planned" && isByName ? `from (select u.* ${source} offset 0) u` : source;
}

/** A search as `to_tsquery` takes it; null when nothing is looked for. */
export function userSearchQuery(search: string): string | null {
  const parts = searchParts(search).map(({ terms, number }) => {
    const all = terms.map(termQuery).join(" & ");
    return number === null ? all : `((${all}) | ${word(number, false)})`;
  });
  return parts.length > 0 ? parts.join(" & ") : null;
}

function termQuery({ words, whole, number }: SearchTerm): string {
  const phrase = words.map((one, index) => word(one, whole || index < words.length - 1)).join(" <-> ");
  if (number === null || words.length === 1) return phrase;
  return `(${phrase} | ${word(number, whole)})`;
}

// Words hold no character that could end the quotation: searchParts has taken all punctuation out.
function word(text: string, whole: boolean): string {
  return whole ? `'${text}'` : `'${text}':*`;
}
