import type { AuditFilterValues } from "#schema/audit.ts";
import { findUsersByWords } from "#api/staff/users/list-users.ts";
import { parseSupportCode } from "#api/licensing/licences/licence-code.ts";
import type { Context } from "#api/platform/context.ts";
import {
  buildHistoryPage,
  checkHistorySize,
  type PageOf,
  buildMomentColumns,
  buildMomentSql,
  parseCursor,
  formatCursor,
} from "#api/platform/graphql/page.ts";
import { lacksStaffRole } from "#api/platform/graphql/staff-role.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";

interface AuditLogRequest {
  readonly filter: AuditFilterValues;
  /** Returns one row for each bulk run: its latest entry that matches the filter, with the number of such entries. */
  readonly groupRuns?: boolean;
  /** Maximum number of rows to return. */
  readonly first: number;
  readonly after?: string | null | undefined;
}

/** Expression of the index `audit_entries_words`. */
const subjectWords = `to_tsvector('simple'::regconfig, regexp_replace(subject_name, '[^[:alnum:]]+', ' ', 'g'))`;

/**
 * Returns a page of the audit log, newest first. Keyset pagination keeps every page equally fast.
 * @throws AppError BAD_USER_INPUT if the filter, count or cursor is invalid.
 */
export async function listAuditEntries(
  context: Context,
  { filter: criteria, first, after, groupRuns = false }: AuditLogRequest,
): Promise<PageOf<AuditEntry>> {
  checkHistorySize(first);
  const from = after ? parseCursor(after, isUuid) : null;
  const ids = [criteria.actorId, criteria.bulkRunId].filter(Boolean);
  if (ids.some((id) => !isUuid(id))) return { rows: [], total: 0, isTotalCapped: false, endCursor: null };
  const values: unknown[] = [first + 1];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // Finance sees no comments and no IP addresses, such as the networks of a token.
  const seesAll = !lacksStaffRole(context.actor, ["support"]);
  const conditions = [
    !seesAll && "subject_type <> 'comment'",
    criteria.actorId && `actor_id = ${bind(criteria.actorId)}::uuid`,
    criteria.action && `action = ${bind(criteria.action)}`,
    criteria.from && `at >= ${bind(criteria.from)}`,
    criteria.to && `at <= ${bind(criteria.to)}`,
    criteria.bulkRunId && `bulk_run_id = ${bind(criteria.bulkRunId)}::uuid`,
    criteria.search && (await searchCondition(context, criteria.search, bind)),
  ].filter(Boolean);
  const matches = conditions.length > 0 ? conditions.join(" and ") : "true";
  const filterValues = [...values];
  const isOlder = from ? `(at, id) < (${buildMomentSql(bind(from.micros))}, ${bind(from.key)}::uuid)` : "true";
  type Row = AuditEntry & { atMs: number; atMicros: string };
  const { rows } = await context.reads.query<Row>(
    `select id, ${buildMomentColumns("at")}, actor_id as "actorId", actor_name as "actorName", action,
            subject_type as "subjectType", subject_id as "subjectId", subject_name as "subjectName",
            user_id as "userId", bulk_run_id as "bulkRunId", request_id as "requestId",
            ${seesAll ? "before, after, ip" : "before - 'networks' as before, after - 'networks' as after, '' as ip"}
       from ${groupRuns ? buildGroupedSql(matches, isOlder) : `audit_entries where ${matches} and ${isOlder}`}
      order by at desc, id desc limit $1::int`,
    values,
  );
  if (groupRuns) await countRunEntries(context, rows.slice(0, first), matches, filterValues);
  return buildHistoryPage<Row, AuditEntry>(rows, {
    first,
    isContinued: from !== null,
    toRow: ({ atMs, ...row }) => ({ ...row, at: new Date(atMs) }),
    toCursor: ({ atMicros, id }) => formatCursor({ micros: atMicros, key: id }),
  });
}

/**
 * Returns the SQL of a subquery with the entries of no run, and the latest matching entry of each run. Reads at most one page
 * of entries and one entry of each run, from indexes.
 */
function buildGroupedSql(matches: string, isOlder: string): string {
  return `(
    (select * from audit_entries where bulk_run_id is null and ${matches} and ${isOlder}
      order by at desc, id desc limit $1::int)
    union all
    select latest.* from bulk_runs r cross join lateral (
      select * from audit_entries where bulk_run_id = r.id and ${matches} order by at desc, id desc limit 1) latest
     where ${isOlder.replace("(at, id)", "(latest.at, latest.id)")}) entries`;
}

/** Sets the number of matching entries of each run in `shown`. */
async function countRunEntries(
  context: Context,
  shown: readonly AuditEntry[],
  matches: string,
  filterValues: readonly unknown[],
): Promise<void> {
  const runIds = shown.flatMap(({ bulkRunId }) => bulkRunId ?? []);
  if (runIds.length === 0) return;
  // `$1` isn't a row limit here, but the conditions number their values from `$2`.
  const { rows } = await context.reads.query<{ runId: string; entries: number }>(
    `select bulk_run_id as "runId", count(*)::int as entries from audit_entries
      where bulk_run_id = any($1::uuid[]) and ${matches} group by bulk_run_id`,
    [runIds, ...filterValues.slice(1)],
  );
  const counts = new Map(rows.map(({ runId, entries }) => [runId, entries]));
  for (const entry of shown) if (entry.bulkRunId) entry.runEntryCount = counts.get(entry.bulkRunId) ?? 0;
}

/**
 * Returns the SQL condition of a search: an id matches the user or the subject; other words match the beginnings of
 * words in the subject's or the user's name.
 */
async function searchCondition(
  context: Context,
  search: NonNullable<AuditFilterValues["search"]>,
  bind: (value: unknown) => string,
): Promise<string> {
  if (isUuid(search)) return `(user_id = ${bind(search)}::uuid or subject_id = ${bind(search.toLowerCase())})`;
  const supportCode = parseSupportCode(search);
  const words = (supportCode ?? search).match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return "false";
  const bySubject = `${subjectWords} @@ to_tsquery('simple', ${bind(words.map((word) => `${word}:*`).join(" & "))})`;
  const found = await findUsersByWords(context, search);
  return `(${bySubject} or user_id = any(${bind(found.map(({ id }) => id))}::uuid[]))`;
}

/** Returns the users who made changes, sorted by the name in their latest entry. */
export async function listAuditActors(context: Context): Promise<{ id: string; name: string }[]> {
  // Skips along the index from one actor to the next, regardless of how many entries each of them has.
  const { rows } = await context.reads.query<{ id: string; name: string }>({
    name: "audit-actors",
    text: `with recursive actors as (
             (select actor_id as id from audit_entries where actor_id is not null order by actor_id limit 1)
             union all
             select (select e.actor_id from audit_entries e where e.actor_id > a.id order by e.actor_id limit 1)
               from actors a where a.id is not null
           )
           select a.id, e.actor_name as name
             from actors a
            cross join lateral (select actor_name from audit_entries where actor_id = a.id order by at desc, id desc limit 1) e
            order by 2, 1 limit 200`,
  });
  return rows;
}
