import { ResultCode } from "#schema/result-code.ts";
import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/graphql/loaders.ts";
import {
  buildHistoryPage,
  buildMomentColumns,
  buildMomentSql,
  checkHistorySize,
  formatCursor,
  type KeysetPosition,
  type PageOf,
  parseCursor,
} from "#api/platform/graphql/page.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { LicenceEvent } from "./licence-event.entity.ts";

/** Filter and page of a history. */
export interface EventFilter {
  /** Maximum number of rows to return. */
  readonly first: number;
  /** End cursor of the previous, newer page. */
  readonly after?: string | null | undefined;
  readonly deviceId?: string | undefined;
  readonly refusalsOnly?: boolean | undefined;
  /** Returns only events with these result codes. */
  readonly resultCodes?: readonly number[] | undefined;
  /** Returns only events since this time. */
  readonly since?: Date | undefined;
}

type HistoryOwner = "licence" | "device";

interface EventRow extends Omit<LicenceEvent, "at" | "lastAt"> {
  readonly ownerId: string;
  readonly atMs: number;
  readonly lastAtMs: number;
  /** `at` in microseconds since 1970, the precision that the database sorts by. */
  readonly atMicros: string;
}

/**
 * Returns the history of a licence or a device, newest first. The caller must check access to the licence.
 * @throws AppError BAD_USER_INPUT for an invalid count or cursor.
 */
export async function listLicenceEvents(
  context: Context,
  whose: HistoryOwner,
  id: string,
  asked: EventFilter,
): Promise<PageOf<LicenceEvent>> {
  checkHistorySize(asked.first);
  const after = asked.after ? parseCursor(asked.after, (key) => /^\d{1,18}$/.test(key)) : undefined;
  // A malformed id belongs to no device.
  if (asked.deviceId !== undefined && !isUuid(asked.deviceId))
    return { rows: [], total: 0, isTotalCapped: false, endCursor: null };
  const { first, deviceId, refusalsOnly, resultCodes, since } = asked;
  return loadEvents(context, id, whose, { first, deviceId, refusalsOnly, resultCodes, since, from: after });
}

const loadEvents = createLoader(
  async (
    { pool }: Context,
    ids: readonly string[],
    whose: HistoryOwner,
    asked: Omit<EventFilter, "after"> & { from: KeysetPosition | undefined },
  ): Promise<PageOf<LicenceEvent>[]> => {
    const { first, deviceId, refusalsOnly, resultCodes, since, from } = asked;
    const values: unknown[] = [JSON.stringify(ids.map((id) => ({ id }))), first + 1];
    const conditions: string[] = [];
    const bind = (value: unknown) => `$${values.push(value)}`;
    if (deviceId !== undefined) conditions.push(`and e.device_id = ${bind(deviceId)}::uuid`);
    if (refusalsOnly) conditions.push(`and e.result_code <> ${ResultCode.VALID}`);
    if (resultCodes) conditions.push(`and e.result_code = any(${bind(resultCodes)}::smallint[])`);
    if (since) conditions.push(`and e.at >= ${bind(since)}::timestamptz`);
    if (from) {
      const at = buildMomentSql(bind(from.micros));
      // The first condition excludes later partitions; the second compares the ids of events with the same time.
      conditions.push(`and e.at <= ${at} and (e.at, e.id) < (${at}, ${bind(from.key)}::bigint)`);
    }
    const name = [
      `events-of-${whose}`,
      deviceId !== undefined && "device",
      refusalsOnly && "refused",
      resultCodes && "codes",
      since && "since",
      from && "after",
    ]
      .filter(Boolean)
      .join("-");
    const { rows } = await pool.query<EventRow>({ name, text: statement(whose, conditions.join(" ")), values });
    const byOwner = new Map<string, EventRow[]>(ids.map((id) => [id, []]));
    for (const row of rows) byOwner.get(row.ownerId)?.push(row);
    return ids.map((id) => buildPage(byOwner.get(id) ?? [], first, from !== undefined));
  },
);

/**
 * Returns SQL for the newest rows of each owner, using the index. Excludes partitions older than the licence, which
 * can't contain its events. The ids come from jsonb because PostgreSQL always estimates the same size for it, and
 * therefore reuses the plan for all partitions instead of planning each query again.
 */
function statement(whose: HistoryOwner, conditions: string): string {
  const owner = whose === "licence" ? "o.id" : "d.licence_id";
  return `
    select o.id as "ownerId", e.id, e.count, e.kind, e.result_code as "resultCode", e.licence_id as "licenceId",
           e.device_id as "deviceId", e.machine_name as "machineName", e.os_user as "osUser",
           e.add_in_version as "addInVersion", e.host_version as "hostVersion", e.ip,
           ${buildMomentColumns("e.at")}, (extract(epoch from e.last_at) * 1000)::float8 as "lastAtMs"
      from jsonb_to_recordset($1::jsonb) as o(id uuid)
      ${whose === "device" ? "join devices d on d.id = o.id" : ""}
      join licences l on l.id = ${owner}
     cross join lateral (
       select * from licence_events e
        where e.${whose}_id = o.id and e.at >= l.created_at - interval '1 day' ${conditions}
        order by e.at desc, e.id desc
        limit $2::int
     ) e
     order by o.id, e.at desc, e.id desc`;
}

const buildPage = (found: readonly EventRow[], first: number, isContinued: boolean): PageOf<LicenceEvent> =>
  buildHistoryPage(found, {
    first,
    isContinued,
    toRow: ({ atMs, lastAtMs, ...row }) => ({ ...row, at: new Date(atMs), lastAt: new Date(lastAtMs) }),
    toCursor: ({ atMicros, id }) => formatCursor({ micros: atMicros, key: id }),
  });
