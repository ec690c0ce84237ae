import { userListRules } from "#schema/rules/user-list.ts";
import { moment, relationRead, type SqlReads } from "#api/platform/sql-reads/reading.ts";
import { check, isUuid } from "#api/platform/validate.ts";
import { isRunningSql } from "#api/selling/subscriptions/subscription-states.ts";
import { askedOfUsers, columnsOfUser } from "./list-users.ts";
import { countUsersStatement, listUsersStatement, MOST_COUNTED, orderOfUsers } from "./list-users-statement.ts";
import { searchWay } from "./search-way.ts";
import { relationsOfUser } from "./user-relations.ts";
import { userCursorIn } from "./user-cursor.ts";

/** How users are read in SQL, beside their columns. */
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
    const { wanted, part: asked } = askedOfUsers(check(userListRules, args.filter ?? {}));
    const { limit, offset, sortBy } = asked;
    // Without words nothing is asked of what is recent, and the statement stays good.
    const way = wanted.search ? searchWay(reading.recentContext(), wanted, asked) : "planned";
    const page = alias();
    let uses = 0;
    const pageOnceMore = () => (uses++, page);
    const tally = alias();
    let isTallied = false;
    const counted = () => {
      isTallied = true;
      const all = `(select total from ${tally})`;
      if (asked.after || asked.fromEnd) return all;
      // A page that is not full tells the number itself.
      return `(select case when n < ${limit} and (n > 0 or ${offset} = 0) and ${offset} + n <= ${MOST_COUNTED}
        then ${offset} + n else ${all} end from (select count(*)::int as n from ${pageOnceMore()}) known)`;
    };
    const body = object({
      rows: ({ many }) => many((user) => `${pageOnceMore()} ${user} ${orderOfUsers(asked, user)}`),
      endCursor: () => {
        const last = `from ${pageOnceMore()} ${orderOfUsers(asked, undefined, true)} limit 1`;
        return `(select ${userCursorIn(sortBy, page)} ${last})`;
      },
      total: () => `least(${counted()}, ${MOST_COUNTED})`,
      isTotalCapped: () => `(${counted()} > ${MOST_COUNTED})`,
      exactTotal: () => `(${part(countUsersStatement(wanted, way, null))})`,
    });
    if (!body) return null;
    // A column that the rest does not even mention is not chosen.
    const columns = columnsOfUser(reading, (column) => body.includes(column));
    const rows = part(listUsersStatement(wanted, asked, columns, way));
    // Read once, its rows need not be kept. Either way relations are looked up for the page's rows and no others.
    const counting = isTallied ? `, ${tally} as materialized (${part(countUsersStatement(wanted, way))})` : "";
    return `(with ${page} as ${uses > 1 ? "" : "not "}materialized (${rows})${counting} ${body.slice(1, -1)})`;
  },
};
