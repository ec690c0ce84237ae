import { userFilterRules } from "#schema/rules/account.ts";
import type { SqlReads } from "#api/platform/sql-reads/reading.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { check } from "#api/platform/validate.ts";
import { pageOfUsers } from "./users-page.ts";

/** How users are read in SQL, beside their columns. */
export const userSqlReads: SqlReads = {
  "User.emailConfirmed": ({ row }) => `${row}.email_confirmed_at is not null`,
  "User.isActive": ({ row }) => `${row}.archived_at is null`,
  "User.hasActiveSubscription": ({ row }) =>
    `exists (select from subscriptions s where s.user_id = ${row}.id and s.status in ('active', 'past_due'))`,
  "User.blockedMachines": ({ row, many }) =>
    many(
      (blocked) =>
        `blocked_machines ${blocked} where ${blocked}.user_id = ${row}.id order by ${blocked}.blocked_at, ${blocked}.id`,
    ),

  "Query.user": ({ args, bind, one }) =>
    isUuid(String(args.id)) ? one((user) => `users ${user} where ${user}.id = ${bind(args.id)}::uuid`) : null,

  "Query.users": ({ args, alias, object, part }) => {
    const filter = check(userFilterRules, args.filter ?? {});
    const { rows, total } = pageOfUsers(filter);
    const page = alias();
    const body = object({
      rows: ({ many }) => many((user) => `${page} ${user} order by ${user}.place`),
      // A page that is not full tells the number itself.
      total: () => `(select case when n < ${filter.limit} and (n > 0 or ${filter.offset} = 0) then ${filter.offset} + n
        else (${part(total)}) end from (select count(*)::int as n from ${page}) counted)`,
    });
    // Fixed first, so that relations are looked up for the page's rows and no others.
    return (
      body &&
      `(with ${page} as materialized (select found.*, row_number() over () as place from (${part(rows)}) found) ${body.slice(1, -1)})`
    );
  },
};
