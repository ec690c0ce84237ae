import { formatMomentSql, createRelationRead, type SqlReads } from "#api/platform/graphql/sql-reads/read-context.ts";
import { isUuid } from "#api/platform/validate.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { invoicesOfUser } from "#api/billing/invoices/invoice.resolver.ts";
import { loadUserComments } from "#api/staff/comments/comment.resolver.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { getUserColumns, toUserListRequest, toUserListValues, type UserListArgs } from "./list-users.ts";
import {
  buildOrderBy,
  buildUserCountStatement,
  buildUserListStatement,
  MAX_COUNTED,
  type UserListPage,
} from "./list-users-statement.ts";
import { chooseSearchStrategy } from "./search-strategy.ts";
import { buildUserCursorSql } from "./user-cursor.ts";

/** Loaders of the rows that belong to a user. The SQL reads use the same relations. */
export const userRelations = {
  contacts: createRelationLoader<Contact>({
    entity: Contact,
    of: "user",
    orderBy: { lastName: "asc", firstName: "asc", id: "asc" },
  }),
  blockedMachines: createRelationLoader<BlockedMachine>({
    entity: BlockedMachine,
    of: "user",
    orderBy: { blockedAt: "asc", id: "asc" },
  }),
  licences: createRelationLoader<Licence>({ entity: Licence, of: "user", orderBy: { createdAt: "desc", id: "desc" } }),
  comments: loadUserComments,
  invoices: invoicesOfUser,
};

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

  /**
   * The page and the count of all matches are named queries. PostgreSQL reads the page once if several fields need it, and
   * counts only if a field needs the count.
   */
  "Query.users": (reading) => {
    const { args, alias, object, part, selects } = reading;
    const { wanted, part: page } = toUserListRequest(toUserListValues(args as unknown as UserListArgs));
    // A list without search words doesn't depend on recent statistics, so its statement can be reused.
    const strategy = wanted.search ? chooseSearchStrategy(reading.recentContext(), wanted, page) : "planned";
    const pageRows = alias();
    const counted = alias();
    const total = buildTotalSql(page, pageRows, counted);
    const answer = object({
      rows: ({ many }) => many((user) => `${pageRows} ${user} ${buildOrderBy(page, user)}`),
      // Only a full page has a row at this offset.
      endCursor: () =>
        `(select ${buildUserCursorSql(page.sortBy, pageRows)} from ${pageRows} ${buildOrderBy(page)} offset ${page.limit - 1} limit 1)`,
      total: ({ args: { isExact } }) =>
        isExact === true
          ? `(${part(buildUserCountStatement(wanted, strategy, null))})`
          : `least(${total}, ${MAX_COUNTED})`,
      isTotalCapped: () => `(${total} > ${MAX_COUNTED})`,
    });
    if (answer === null) return null;
    const queries = [
      `${pageRows} as (${part(buildUserListStatement(wanted, page, getUserColumns(reading), strategy))})`,
    ];
    if (selects("total", "isTotalCapped"))
      queries.push(`${counted} as materialized (${part(buildUserCountStatement(wanted, strategy))})`);
    return `(with ${queries.join(", ")} ${answer})`;
  },
};

/** Returns SQL for the total of a list. A page that isn't full is the last one, so its size gives the total. */
function buildTotalSql({ after, fromEnd, limit, offset }: UserListPage, pageRows: string, counted: string): string {
  const all = `(select total from ${counted})`;
  if (after || fromEnd) return all;
  const isLastPage = `n < ${limit} and (n > 0 or ${offset} = 0) and ${offset} + n <= ${MAX_COUNTED}`;
  return `(select case when ${isLastPage} then ${offset} + n else ${all} end
             from (select count(*)::int as n from ${pageRows}) known)`;
}
