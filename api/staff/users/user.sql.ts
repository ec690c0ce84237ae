import { userListRules } from "#schema/rules/user-list.ts";
import { moment, relationRead, type SqlReads } from "#api/platform/sql-reads/reading.ts";
import { check, isUuid } from "#api/platform/validate.ts";
import { isRunningSql } from "#api/selling/subscriptions/subscription-states.ts";
import { askedOfUsers, columnsOfUser } from "./list-users.ts";
import { countUsersStatement, listUsersStatement, MOST_COUNTED, orderOfUsers } from "./list-users-statement.ts";
import { searchWay } from "./search-way.ts";
import { relationsOfUser } from "./user-relations.ts";
import { userCursorIn } from "./user-cursor.ts";

/** SQL for fields of users that aren't plain columns. */
export const userSqlReads: SqlReads = {
  "User.emailConfirmed": ({ row }) => `${row}.email_confirmed_at is not null`,
  "User.isActive": ({ row }) => `${row}.archived_at is null`,
  "User.hasActiveSubscription": ({ row }) =>
    `exists (select from subscriptions s where s.user_id = ${row}.id and ${isRunningSql})`,
  "User.cancellationPendingSince": ({ row }) =>
    moment(`(select min(s.cancellation_pending_since) from subscriptions s where s.user_id = ${row}.id)`),
  "User.contacts": relationRead(relationsOfUser.contacts),
  "User.blockedMachines": relationRead(relationsOfUser.blockedMachines),
  "User.licences": relationRead(relationsOfUser.licences),
  "User.comments": relationRead(relationsOfUser.comments),
  "User.invoices": relationRead(relationsOfUser.invoices),

  "Query.user": ({ args, bind, one }) =>
    isUuid(String(args.id)) ? one((user) => `users ${user} where ${user}.id = ${bind(args.id)}::uuid`) : null,

  "Query.users": (reading) => {
    const { args, alias, object, part } = reading;
    const { wanted, part: userPart } = askedOfUsers(check(userListRules, args.filter ?? {}));
    const { limit, offset, sortBy } = userPart;
    // A list without search words doesn't depend on recent statistics, so its statement can be reused.
    const strategy = wanted.search ? searchWay(reading.recentContext(), wanted, userPart) : "planned";
    const page = alias();
    let uses = 0;
    const referToPage = () => (uses++, page);
    const tally = alias();
    let isTallied = false;
    const getTotalSql = () => {
      isTallied = true;
      const all = `(select total from ${tally})`;
      if (userPart.after || userPart.fromEnd) return all;
      // A page that isn't full is the last one, so its size gives the total.
      return `(select case when n < ${limit} and (n > 0 or ${offset} = 0) and ${offset} + n <= ${MOST_COUNTED}
        then ${offset} + n else ${all} end from (select count(*)::int as n from ${referToPage()}) known)`;
    };
    const body = object({
      rows: ({ many }) => many((user) => `${referToPage()} ${user} ${orderOfUsers(userPart, user)}`),
      endCursor: () => {
        const last = `from ${referToPage()} ${orderOfUsers(userPart, undefined, true)} limit 1`;
        return `(select ${userCursorIn(sortBy, page)} ${last})`;
      },
      total: () => `least(${getTotalSql()}, ${MOST_COUNTED})`,
      isTotalCapped: () => `(${getTotalSql()} > ${MOST_COUNTED})`,
      exactTotal: () => `(${part(countUsersStatement(wanted, strategy, null))})`,
    });
    if (!body) return null;
    // Selects only columns that the response mentions.
    const columns = columnsOfUser(reading, (column) => body.includes(column));
    const rows = part(listUsersStatement(wanted, userPart, columns, strategy));
    // A page that is referenced once needn't be materialized. Relations are loaded only for rows of the page.
    const counting = isTallied ? `, ${tally} as materialized (${part(countUsersStatement(wanted, strategy))})` : "";
    return `(with ${page} as ${uses > 1 ? "" : "not "}materialized (${rows})${counting} ${body.slice(1, -1)})`;
  },
};
