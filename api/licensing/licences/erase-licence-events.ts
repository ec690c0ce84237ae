import { type EntityManager, query, queryRow } from "#api/platform/database/database.ts";
import type { Batch, BatchResult } from "#api/platform/database/personal-data.ts";
import { listDetachedMonths } from "./maintain-event-partitions.ts";

/** Position after the last event processed. Events are read newest first, one licence after another. */
interface EventCursor {
  readonly licenceId: string;
  /** PostgreSQL timestamp with microseconds; null before the first event of the licence. */
  readonly at: string | null;
  readonly id: string;
}

const NEWEST = { at: "infinity", id: "9223372036854775807" } as const;

/** Maximum number of licences without events that one batch skips. */
const MOST_LICENCES = 500;

const personal = "(machine_name is not null or os_user is not null or ip is not null)";

/**
 * Erases machine names, Windows users and IP addresses from a batch of licence events. A cursor on the index of a
 * licence's events keeps each batch equally fast, even after a million events.
 */
export async function eraseLicenceEvents({ em, userId, limit, cursor }: Batch): Promise<BatchResult> {
  let at = cursor as EventCursor | undefined;
  let left = limit;
  let rows = 0;
  for (let licences = 0; left > 0 && licences < MOST_LICENCES; licences++) {
    at ??= await findNextLicence(em, userId, null);
    if (!at) return { rows, isDone: true };
    const page = await erasePage(em, at, left);
    rows += page.rows;
    left -= page.seen;
    if (left > 0) {
      at = await findNextLicence(em, userId, at.licenceId);
      if (!at) return { rows, isDone: true };
    } else at = { licenceId: at.licenceId, ...page.last };
  }
  return { rows, isDone: false, cursor: at };
}

async function findNextLicence(
  em: EntityManager,
  userId: string,
  after: string | null,
): Promise<EventCursor | undefined> {
  const [licence] = await query<{ id: string }>(
    em,
    "select id from licences where user_id = $1 and ($2::uuid is null or id > $2::uuid) order by id limit 1",
    [userId, after],
  );
  return licence && { licenceId: licence.id, at: null, id: NEWEST.id };
}

async function erasePage(em: EntityManager, { licenceId, at, id }: EventCursor, limit: number) {
  const before = [at ?? NEWEST.at, id] as const;
  const { seen, last } = await queryRow<{ seen: number; last: { at: string; id: string } | null }>(
    em,
    `with page as materialized (
       select at, id from licence_events where licence_id = $1 and (at, id) < ($2::timestamptz, $3::bigint)
        order by at desc, id desc limit $4)
     select count(*)::int as seen,
            (select jsonb_build_object('at', at::text, 'id', id::text) from page order by at, id limit 1) as last
       from page`,
    [licenceId, ...before, limit],
  );
  if (!last) return { seen, rows: 0, last: { at, id } };
  const { count } = await queryRow<{ count: number }>(
    em,
    `with changed as (
       update licence_events set machine_name = null, os_user = null, ip = null
        where licence_id = $1 and at >= $4::timestamptz and at <= $2::timestamptz
          and (at, id) < ($2::timestamptz, $3::bigint) and (at, id) >= ($4::timestamptz, $5::bigint) and ${personal}
       returning 1)
     select count(*)::int as count from changed`,
    [licenceId, ...before, last.at, last.id],
  );
  return { seen, rows: count, last };
}

/**
 * Erases the same data from a batch of events in detached months, which could be attached again until they are dropped.
 */
export async function eraseDetachedEvents({ em, userId, limit }: Batch): Promise<BatchResult> {
  for (const month of await listDetachedMonths(em)) {
    const { count } = await queryRow<{ count: number }>(
      em,
      `with batch as materialized (
         select id, at from ${month} where licence_id in (select id from licences where user_id = $1) and ${personal}
          limit $2),
       changed as (
         update ${month} m set machine_name = null, os_user = null, ip = null
           from batch where m.id = batch.id and m.at = batch.at returning 1)
       select count(*)::int as count from changed`,
      [userId, limit],
    );
    if (count > 0) return { rows: count, isDone: false };
  }
  return { rows: 0, isDone: true };
}

/**
 * Repeats the erasure for events from around the time the account was closed, because a request that was in progress at
 * that time may have added its event later.
 */
export async function eraseLateEvents({ em, userId, requestedAt }: Batch): Promise<BatchResult> {
  const { count } = await queryRow<{ count: number }>(
    em,
    `with changed as (
       update licence_events set machine_name = null, os_user = null, ip = null
        where licence_id in (select id from licences where user_id = $1)
          and at >= $2::timestamptz - interval '1 minute' and ${personal}
       returning 1)
     select count(*)::int as count from changed`,
    [userId, requestedAt],
  );
  return { rows: count, isDone: true };
}
