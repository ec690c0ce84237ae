import { userListRules } from "#schema/rules/user-list.ts";
import type { SqlReads } from "#api/platform/sql-reads/reading.ts";
import { isUuid } from "#api/platform/uuid.ts";
import { check } from "#api/platform/validate.ts";
import { askedOfUsers, columnsOfUser } from "./list-users.ts";
import { countUsersStatement, listUsersStatement, MOST_COUNTED } from "./list-users-statement.ts";
import { userCursorIn } from "./user-cursor.ts";

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

  "Query.users": ({ args, alias, context, object, part }) => {
    const { wanted, part: asked } = askedOfUsers(check(userListRules, args.filter ?? {}));
    const { limit, offset, sortBy } = asked;
    const page = alias();
    const body = object({
      rows: ({ many }) => many((user) => `${page} ${user} order by ${user}.place`),
      endCursor: () => `(select ${userCursorIn(sortBy, page)} from ${page} order by place desc limit 1)`,
      total: () => {
        const counted = part(countUsersStatement(wanted));
        if (asked.after) return `(${counted})`;
        // A page that is not full tells the number itself.
        return `(select case when n < ${limit} and (n > 0 or ${offset} = 0) and ${offset} + n <= ${MOST_COUNTED}
          then ${offset} + n else (${counted}) end from (select count(*)::int as n from ${page}) known)`;
      },
    });
    const rows = listUsersStatement(wanted, asked, columnsOfUser(context));
    // Fixed first, so that relations are looked up for the page's rows and no others.
    return (
      body &&
      `(with ${page} as materialized (select found.*, row_number() over () as place from (${part(rows)}) found) ${body.slice(1, -1)})`
    );
  },
};
