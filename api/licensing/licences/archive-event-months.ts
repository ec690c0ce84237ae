import { setImmediate } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { parquetReadObjects } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import { AppError, conflict } from "#api/platform/errors.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { attachMonthAgain } from "./maintain-event-partitions.ts";

/** First segment of the keys of archived licence events. */
export const EVENT_ARCHIVES_PREFIX = "licence-events";

/** Most events in one file, which is the part that one run writes. */
const FILE_EVENTS = 100_000;

/** Events written at once. Other work of the process runs in between. */
const GROUP_EVENTS = 5_000;

/** Time for which a restored month stays, in milliseconds. */
const RESTORED_MS = 30 * DAY;

/**
 * Columns of an archived event, with the Parquet type and the PostgreSQL type. Machine names, Windows users and IP addresses
 * are left out, so that archives contain no personal data and an erasure doesn't need to rewrite them.
 */
const columns = [
  ["id", "INT64", "bigint"],
  ["at", "TIMESTAMP", "timestamptz"],
  ["last_at", "TIMESTAMP", "timestamptz"],
  ["count", "INT32", "int"],
  ["kind", "STRING", "text"],
  ["result_code", "INT32", "smallint"],
  ["licence_id", "UUID", "uuid"],
  ["device_id", "UUID", "uuid"],
  ["add_in_version", "STRING", "text"],
  ["host_version", "STRING", "text"],
] as const;

type Column = (typeof columns)[number];
type EventRow = Readonly<Record<Column[0], string | number | null>>;

/**
 * Writes the events of a detached month to the file storage as Parquet, one file a run. A month is dropped only after that
 * (decision 0236). An interrupted run writes the same file again.
 */
export const archiveEventMonths: Sweep = {
  name: "archive-licence-events",
  everySeconds: 600,
  async run(context) {
    return inTransaction(context, async (em) => {
      const [month] = await query<{ name: string; files: number; lastId: string }>(
        em,
        `select name, archived_files as files, archived_to_id as "lastId" from detached_event_months
          where dropped_at is null and archived_at is null and to_regclass('public.' || name) is not null
          order by name limit 1 for update skip locked`,
        [],
      );
      if (!month) return 0;
      const rows = await query<EventRow>(
        em,
        `select id::text, (extract(epoch from at) * 1000)::float8 as at, (extract(epoch from last_at) * 1000)::float8 as last_at,
                count, kind, result_code, licence_id, device_id, add_in_version, host_version
           from ${month.name} where id > $1 order by id limit $2`,
        [month.lastId, FILE_EVENTS],
      );
      if (rows.length > 0)
        await context.files.put(toKey(month.name, month.files + 1), Readable.from([await toParquet(rows)]));
      await query(
        em,
        `update detached_event_months set archived_files = archived_files + $2, archived_events = archived_events + $3,
                archived_to_id = $4, archived_at = $5 where name = $1`,
        [
          month.name,
          rows.length > 0 ? 1 : 0,
          rows.length,
          rows.at(-1)?.id ?? month.lastId,
          rows.length < FILE_EVENTS ? context.clock.now() : null,
        ],
      );
      return 1;
    });
  },
};

/** What {@link restoreEventMonth} did. */
export interface RestoredMonth {
  readonly files: number;
  readonly events: number;
  /** Moment after which the month may be detached again. */
  readonly keptUntil: Date;
}

/**
 * Attaches a dropped month again, with the archived events and without personal data, so that reports and histories show
 * them for 30 days. Can be repeated after an interruption.
 * @param month such as `2024-11`
 * @throws AppError NOT_FOUND if the month has no archive, CONFLICT if it wasn't dropped
 */
export async function restoreEventMonth(context: Context, month: string): Promise<RestoredMonth> {
  const name = `licence_events_${month.replace("-", "_")}`;
  const now = context.clock.now();
  const keptUntil = addMilliseconds(now, RESTORED_MS);
  const archived = await inTransaction(context, async (em) => {
    const [found] = await query<{ files: number; events: number; isDropped: boolean }>(
      em,
      `select archived_files as files, archived_events::float8 as events, dropped_at is not null as "isDropped"
         from detached_event_months where name = $1 for update`,
      [name],
    );
    if (!found) throw new AppError("NOT_FOUND", { message: `There is no archive of ${month}.` });
    if (!found.isDropped) throw conflict(`The table of ${month} still exists. Attach it instead.`);
    await attachMonthAgain(em, name, now);
    await query(em, "update detached_event_months set kept_until = $2 where name = $1", [name, keptUntil]);
    return found;
  });
  for (let file = 1; file <= archived.files; file++) {
    const key = toKey(name, file);
    const content = await context.files.open(key);
    if (!content) throw new AppError("NOT_FOUND", { message: `The file ${key} is missing from the file storage.` });
    const { buffer: bytes } = new Uint8Array(await buffer(content));
    const rows = await parquetReadObjects({ file: bytes });
    for (let from = 0; from < rows.length; from += GROUP_EVENTS)
      await insertEvents(context.em, name, rows.slice(from, from + GROUP_EVENTS));
  }
  return { files: archived.files, events: archived.events, keptUntil };
}

/** Writes rows in groups, because writing a file at once would keep the process from other work for seconds. */
async function toParquet(rows: readonly EventRow[]): Promise<Buffer> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: toColumns([]) }) });
  for (let from = 0; from < rows.length; from += GROUP_EVENTS) {
    await parquet.write({ columnData: toColumns(rows.slice(from, from + GROUP_EVENTS)) });
    await setImmediate();
  }
  await parquet.finish();
  return Buffer.from(writer.getBuffer());
}

function toColumns(rows: readonly EventRow[]): ColumnSource[] {
  return columns.map(([name, type]) => ({
    name,
    type,
    nullable: true,
    data: rows.map((row) => {
      const value = row[name];
      if (value === null) return null;
      if (type === "INT64") return BigInt(value);
      return type === "TIMESTAMP" ? new Date(value) : value;
    }),
  }));
}

/** Inserts events that aren't there yet. */
async function insertEvents(em: EntityManager, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const names = columns.map(([name]) => name).join(", ");
  await query(
    em,
    `insert into ${table} (${names}) select * from unnest(${columns.map(([, , type], index) => `$${index + 1}::${type}[]`).join(", ")})
     on conflict do nothing`,
    columns.map(([name]) => rows.map((row) => (typeof row[name] === "bigint" ? String(row[name]) : row[name]))),
  );
}

function toKey(month: string, file: number): string {
  return `${EVENT_ARCHIVES_PREFIX}/${month.slice(-7).replace("_", "-")}/${String(file).padStart(6, "0")}.parquet`;
}
