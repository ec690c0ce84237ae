import type { SecurityEventFilterValues } from "#schema/security-event.ts";
import { flushSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import type { SecurityEvent } from "#api/audit/security-events/security-event.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import {
  buildHistoryPage,
  type PageOf,
  buildMomentColumns,
  buildMomentSql,
  formatCursor,
  parseCursor,
} from "#api/platform/graphql/page.ts";
import { checkRowCount, isUuid } from "#api/platform/validate.ts";
import { findUsersByWords } from "#api/staff/users/list-users.ts";

export interface SecurityEventRequest {
  readonly filter: SecurityEventFilterValues;
  /** Types to include; all if empty. */
  readonly types: readonly string[];
  /** Maximum number of rows to return, from 1 to {@link MAX_EVENTS}. */
  readonly first: number;
  readonly after?: string | null | undefined;
}

/** Maximum number of events on a page. */
export const MAX_EVENTS = 100;

/** Maximum number of matching users included in a search. */
const MAX_MATCHING_USERS = 50;

/**
 * Returns a page of the security events, newest first.
 * @throws AppError BAD_USER_INPUT if the filter, count or cursor is invalid.
 */
export async function listSecurityEvents(
  context: Context,
  { filter: criteria, types, first, after }: SecurityEventRequest,
): Promise<PageOf<SecurityEvent>> {
  checkRowCount(first, MAX_EVENTS);
  if (types.length > MAX_EVENTS) throw badInput({ types: [`Send at most ${MAX_EVENTS} types.`] });
  const from = after ? parseCursor(after, isUuid) : null;
  const values: unknown[] = [first + 1];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    types.length > 0 && `type = any(${bind(types)}::text[])`,
    from && `(at, id) < (${buildMomentSql(bind(from.micros))}, ${bind(from.key)}::uuid)`,
    ...(await buildFilterConditions(context, criteria, bind)),
  ].filter(Boolean);
  type Row = SecurityEvent & { atMs: number; atMicros: string };
  // An event of this request's process may still wait to be written.
  await flushSecurityEvents(context);
  const { rows } = await context.reads.query<Row>(
    `select id, ${buildMomentColumns("at")}, type, user_id as "userId", actor_id as "actorId", address, detail, count,
            request_id as "requestId"
       from security_events ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
      order by at desc, id desc limit $1::int`,
    values,
  );
  return buildHistoryPage<Row, SecurityEvent>(rows, {
    first,
    isContinued: from !== null,
    toRow: ({ atMs, ...row }) => ({ ...row, at: new Date(atMs) }),
    toCursor: ({ atMicros, id }) => formatCursor({ micros: atMicros, key: id }),
  });
}

/** Returns the SQL conditions of a filter. @param bind adds a value and returns its SQL */
export async function buildFilterConditions(
  context: Context,
  { userId, address, from, to, search }: SecurityEventFilterValues,
  bind: (value: unknown) => string,
): Promise<string[]> {
  const conditions: string[] = [];
  const isAbout = (users: readonly string[]) => {
    const ids = bind(users);
    return `(user_id = any(${ids}::uuid[]) or actor_id = any(${ids}::uuid[]))`;
  };
  if (userId) conditions.push(isUuid(userId) ? isAbout([userId]) : "false");
  if (address) conditions.push(`address = ${bind(address.toLowerCase())}`);
  if (from) conditions.push(`at >= ${bind(from)}`);
  if (to) conditions.push(`at <= ${bind(to)}`);
  if (search) {
    const found = isUuid(search) ? [{ id: search }] : await findUsersByWords(context, search, MAX_MATCHING_USERS);
    conditions.push(isAbout(found.map(({ id }) => id)));
  }
  return conditions;
}
