import { formatMomentSql, createRelationRead, type SqlReads } from "#api/platform/graphql/sql-reads/read-context.ts";
import { isUuid } from "#api/platform/validate.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription-states.ts";
import { getUserColumns, toUserListRequest, toUserListValues, type UserListArgs } from "./list-users.ts";
import { buildUserCountStatement, buildUserListStatement, MAX_COUNTED, buildOrderBy } from "./list-users-statement.ts";
import { chooseSearchStrategy } from "./search-strategy.ts";
import { userRelations } from "./user-relations.ts";
import { buildUserCursorSql } from "./user-cursor.ts";

/** SQL for fields of users that aren't plain columns. */
export const userSqlReads: SqlReads = {
  "User.emailConfirmed": ({ row }) => `${row}.email_confirmed_at is not null`,
  "User.isActive": ({ row }) => `${row}.archived_at is null`,
  "User.hasActiveSubscription": ({ row }) =>
    `exists (select from subscriptions s where s.user_id = ${row}.id and ${isRunningSql})`,
  "User.cancellationPendingSince": ({ row }) =>
    formatMomentSql(`(select min(s.cancellation_pending_since) from subscriptions s where s.user_id = ${row}.id)`),
  "User.contacts": createRelationRead(userRelations.contacts),
  "User.blockedMachines": createRelationRead(userRelations.blockedMachines),
  "User.licences": createRelationRead(userRelations.licences),
  "User.comments": createRelationRead(userRelations.comments),
  "User.invoices": createRelationRead(userRelations.invoices),

  "Query.user": ({ args, bind, one }) =>
    isUuid(String(args.id)) ? one((user) => `users ${user} where ${user}.id = ${bind(args.id)}::uuid`) : null,

  "Query.users": (reading) => {
    const { args, alias, object, part } = reading;
    const { wanted, part: userPart } = toUserListRequest(toUserListValues(args as unknown as UserListArgs));
    const { limit, offset, sortBy } = userPart;
    // A list without search words doesn't depend on recent statistics, so its statement can be reused.
    const strategy = wanted.search ? chooseSearchStrategy(reading.recentContext(), wanted, userPart) : "planned";
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
      return `(select case when n < ${limit} and (n > 0 or ${offset} = 0) and ${offset} + n <= ${MAX_COUNTED}
        then ${offset} + n else ${all} end from (select count(*)::int as n from ${referToPage()}) known)`;
    };
    const body = object({
      rows: ({ many }) => many((user) => `${referToPage()} ${user} ${buildOrderBy(userPart, user)}`),
      endCursor: () => {
        // Only a full page has a row here.
        const last = `from ${referToPage()} ${buildOrderBy(userPart)} offset ${limit - 1} limit 1`;
        return `(select ${buildUserCursorSql(sortBy, page)} ${last})`;
      },
      total: ({ args: { isExact } }) =>
        isExact === true
          ? `(${part(buildUserCountStatement(wanted, strategy, null))})`
          : `least(${getTotalSql()}, ${MAX_COUNTED})`,
      isTotalCapped: () => `(${getTotalSql()} > ${MAX_COUNTED})`,
    });
    if (!body) return null;
    // Selects only columns that the response mentions.
    const columns = getUserColumns(reading, (column) => body.includes(column));
    const rows = part(buildUserListStatement(wanted, userPart, columns, strategy));
    // A page that is referenced only once needn't be materialized. Relations are loaded only for rows on the page.
    const counting = isTallied ? `, ${tally} as materialized (${part(buildUserCountStatement(wanted, strategy))})` : "";
    return `(with ${page} as ${uses > 1 ? "" : "not "}materialized (${rows})${counting} ${body.slice(1, -1)})`;
  },
};
