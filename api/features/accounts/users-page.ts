import type { InferType } from "yup";
import type { userFilterRules } from "#schema/rules/account.ts";
import { readSupportCode } from "#api/features/licences/support-code.ts";

const MOST_COUNTED = 10_000;

/** A page of users as parts of a statement. */
export interface PageOfUsers {
  /** Selects the page's rows, all columns. */
  readonly rows: string;
  /** The order of the list, for the rows of that selection. */
  readonly order: (row: string) => string;
  /** How many there are altogether, at most 10,000; `page` names the page's rows. */
  readonly total: (page: string) => string;
}

/** The page that `listUsers` finds, in SQL. */
export function pageOfUsers(filter: InferType<typeof userFilterRules>, bind: (value: unknown) => string): PageOfUsers {
  const { search, offset, limit } = filter;
  const order = (row: string) => `${row}.registered_at desc, ${row}.id desc`;
  const where = search ? `where ${found(search, bind)}` : "";
  // Numbers that the rule has checked, in the text: with a page that is always ten rows, the plan can be kept.
  const part = `limit ${limit}${offset > 0 ? ` offset ${offset}` : ""}`;
  const counted = `(select count(*)::int from (select from users u ${where} limit ${MOST_COUNTED}) c)`;
  return {
    rows: `select u.* from users u ${where} order by ${order("u")} ${part}`,
    order,
    // A page that is not full tells the number itself.
    total: (page) =>
      `(select case when n < ${limit} and (n > 0 or ${offset} = 0) then ${offset} + n else ${counted} end from (select count(*)::int as n from ${page}) p)`,
  };
}

function found(search: string, bind: (value: unknown) => string): string {
  const pattern = bind(`\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}`);
  const words = `(u.first_name || ' ' || u.last_name || ' ' || u.company_name || ' ' || u.email) ~* ${pattern}::text`;
  const code = readSupportCode(search);
  return code
    ? `(${words} or exists (select from licences l where l.user_id = u.id and l.support_code = ${bind(code)}))`
    : words;
}
