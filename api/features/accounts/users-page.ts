import type { InferType } from "yup";
import type { userFilterRules } from "#schema/rules/account.ts";
import type { SqlStatement } from "#api/platform/sql-reads/reading.ts";
import { readSupportCode } from "#api/features/licences/support-code.ts";

const MOST_COUNTED = 10_000;

/** A page of users as statements. */
export interface PageOfUsers {
  /** The page's rows with all columns of `users`, in their order. */
  readonly rows: SqlStatement;
  /** How many there are altogether, at most 10,000. */
  readonly total: SqlStatement;
}

/** The page that `listUsers` finds, in SQL. */
export function pageOfUsers({ search, offset, limit }: InferType<typeof userFilterRules>): PageOfUsers {
  const found = search ? findUsers(search) : { text: "true", values: [] };
  const { text: where, values } = found;
  const place = (index: number) => `$${values.length + index}`;
  return {
    rows: {
      text: `select u.* from users u where ${where} order by u.registered_at desc, u.id desc limit ${place(1)} offset ${place(2)}`,
      values: [...values, limit, offset],
    },
    total: { text: `select count(*)::int from (select from users u where ${where} limit ${MOST_COUNTED}) c`, values },
  };
}

/** The condition for users `u` whom a search finds. */
export function findUsers(search: string): SqlStatement {
  const words = `(u.first_name || ' ' || u.last_name || ' ' || u.company_name || ' ' || u.email) ~* $1::text`;
  const pattern = `\\m${search.replace(/[^\p{L}\p{N}\s@]/gu, "\\$&")}`;
  const code = readSupportCode(search);
  return code
    ? {
        text: `(${words} or exists (select from licences l where l.user_id = u.id and l.support_code = $2::text))`,
        values: [pattern, code],
      }
    : { text: words, values: [pattern] };
}
