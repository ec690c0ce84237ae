import type { EntityClass, FilterQuery } from "@mikro-orm/core";
import { addMilliseconds } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { defineDestructiveSweep } from "./database-clock.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { type EntityManager, queryRow } from "./database.ts";
import type { ErasureEffect } from "#schema/erasure.ts";

/**
 * The personal data of one folder that its columns don't declare (`columns.ts`): tables, the parts of the erasure, and what
 * a data export includes. Each area or noun has a `personal-data.ts`; `api/privacy/personal-data.ts` lists them all.
 */
export interface PersonalData {
  /** Tables whose columns of the class "deleted" are erased by a part, or that no part created by {@link createDeletePart} deletes. */
  readonly tables?: Readonly<Record<string, TableTreatment | { readonly erasedBy: string }>>;
  readonly erasure?: readonly ErasurePart[];
  /** Rows that the erasure certificate lists as kept. */
  readonly kept?: readonly KeptRows[];
  /** Sections of a user's data export. Values are labels and ISO 8601 UTC times, without secrets, hashes or tokens. */
  readonly exported?: Readonly<Record<string, ExportSection>>;
  /** Rows that are deleted after a retention period. */
  readonly retention?: readonly Retention[];
}

type ExportSection = (context: Context, user: { id: string }) => Promise<object>;

/** Retention period of a table with a primary key `id`. */
export interface Retention {
  readonly table: string;
  /** SQL expression for the time a row ended; null while it hasn't. */
  readonly endedAt: string;
  /** Time that a row is kept after it ended, in milliseconds. */
  readonly keptMs: number;
}

/**
 * Treatment of one table when a user is erased. `deleted` names the part that deletes whole rows. Otherwise each column is
 * listed once: under the part that erases it, under the reason why it is kept, or under `impersonal`. Column names are separated
 * by spaces.
 */
export type TableTreatment =
  | { readonly deleted: string; readonly alsoKept?: string }
  | {
      readonly erased?: Readonly<Record<string, string>>;
      readonly kept?: Readonly<Record<string, string>>;
      /** IDs, dates, amounts and states that don't identify a user. */
      readonly impersonal: string;
    };

/** Rows that are kept after an erasure, selected by an SQL condition on the user `$1`. */
export interface KeptRows {
  readonly title: string;
  readonly table: string;
  /** By default, the column `user_id` identifies the user. */
  readonly where?: string;
  readonly reason: string;
}

/** The part of an erasure that runs before all others when the account is closed. */
export const CLOSING_PART = "profile";

/** Replaces names of devices, bulk rows and audit log subjects. */
export const ERASED = "Erased";

/** Replaces the name of an erased staff member. */
export const FORMER_STAFF = "Erased user";

/** Maximum number of rows from each history in a data export, newest first. A busy corporate licence has millions. */
export const MAX_EXPORTED_ROWS = 10_000;

/** Personal data that the parts need after the account is closed. It is deleted when the last part is done. */
export interface ErasureSubject {
  /** Lower-case email addresses that belong to the user alone. */
  readonly addresses: readonly string[];
  /** Links sent to addresses that the user never confirmed, with the time of issue. */
  readonly links: readonly { readonly address: string; readonly at: string }[];
  /** Number of the newest email when the account was closed. Later emails may belong to a new account. */
  readonly mailsUpTo: string;
  /** Recipient of the erasure certificate; null if the address belongs to another account. */
  readonly mailTo: string | null;
  readonly firstName: string;
  /** Zone of the times in the certificate's email. Missing if an earlier release began the erasure. */
  readonly timeZone?: string | null;
}

/** Input of one erasure batch. */
export interface Batch {
  readonly context: Context;
  /** Transaction of the batch, which locks the row of the erasure. */
  readonly em: EntityManager;
  readonly userId: string;
  readonly requestedAt: Date;
  readonly subject: ErasureSubject;
  /** Maximum number of rows to change. */
  readonly limit: number;
  /** Position where the previous batch ended; undefined for the first batch. */
  readonly cursor: unknown;
}

/** Result of one erasure batch. */
export interface BatchResult {
  readonly rows: number;
  readonly isDone: boolean;
  readonly cursor?: unknown;
}

/** Effects of an erasure as they are shown to users. */
export const erasureEffectLabels = { deleted: "deleted", anonymized: "anonymised" } as const;

/** A step of the erasure, for one kind of personal data. Parts run in the order of `api/privacy/personal-data.ts`. */
export interface ErasurePart {
  readonly name: string;
  /** Name of the rows in the certificate. */
  readonly title: string;
  readonly effect: ErasureEffect;
  readonly table: string;
  /** Set if the part deletes all of the user's rows of the table. */
  readonly treatment?: TableTreatment;
  /** Runs the part once, in the transaction that closes the account. Only for secrets and small amounts of data. */
  readonly atClosing?: true;
  /** Runs the part after all others. */
  readonly runsLast?: true;
  /** Erases at most `limit` rows. Must be idempotent. */
  readonly run: (batch: Batch) => Promise<BatchResult>;
}

/**
 * Creates the `run` function of a part from one SQL statement that deletes or updates at most `:limit` rows. The
 * statement may use `:user`, `:addresses`, `:mailsUpTo`, `:requestedAt` and `:limit`, but no `returning`. The part is
 * done when the statement changes fewer than `:limit` rows.
 * @param mostRows smaller batch size, for tables with cascading deletes
 */
export function createBatchStatement(sql: string, mostRows = Number.POSITIVE_INFINITY): ErasurePart["run"] {
  return async ({ em, userId, requestedAt, subject, limit }) => {
    const atMost = Math.min(limit, mostRows);
    const given: Record<string, unknown> = {
      user: userId,
      addresses: subject.addresses,
      mailsUpTo: subject.mailsUpTo,
      requestedAt,
      limit: atMost,
    };
    const values: unknown[] = [];
    const names = new Map<string, string>();
    const text = sql.replace(/(?<!:):([a-zA-Z]+)/g, (_, name: string) => {
      if (!names.has(name)) names.set(name, `$${values.push(given[name])}`);
      return names.get(name) ?? "";
    });
    const { count } = await queryRow<{ count: number }>(
      em,
      `with changed as (${text} returning 1) select count(*)::int as count from changed`,
      values,
    );
    return { rows: count, isDone: count < atMost };
  };
}

/**
 * Creates the `run` function of a part from an SQL function that takes the user and the maximum number of rows, and
 * returns the number of changed rows. For tables that refuse updates by anything else.
 */
export function createBatchFunction(name: string): ErasurePart["run"] {
  return async ({ em, userId, limit }) => {
    const { count } = await queryRow<{ count: number }>(em, `select ${name}($1, $2) as count`, [userId, limit]);
    return { rows: count, isDone: count < limit };
  };
}

/**
 * Creates a part that deletes a user's rows from one table, which need no entry in `tables`.
 * @param options.where selects the rows; by default, the column `user_id` identifies the user
 * @param options.run for rows that a condition can't select
 * @param options.alsoKept note on rows about the user that remain
 */
export function createDeletePart(
  name: string,
  title: string,
  table: string,
  options: { atClosing?: true; where?: string; run?: ErasurePart["run"]; alsoKept?: string } = {},
): ErasurePart {
  const { where = "user_id = :user order by id", alsoKept, ...rest } = options;
  const run = createBatchStatement(
    `delete from ${table} where id in (select id from ${table} where ${where} limit :limit)`,
  );
  const treatment = { deleted: name, ...(alsoKept ? { alsoKept } : {}) };
  return { name, title, table, effect: "deleted", treatment, run, ...rest };
}

/** Creates a part that replaces personal data in one table and keeps the rows. For `sql` see {@link createBatchStatement}. */
export function createAnonymizePart(name: string, title: string, table: string, sql: string): ErasurePart {
  return { name, title, table, effect: "anonymized", run: createBatchStatement(sql) };
}

/**
 * Creates a section of the data export from a user's rows of one table: some of their columns, or what a function returns
 * for each row.
 * @param options.of selects the user's rows; by default, the property `user` identifies the user
 */
export function exportRows<Row extends object>(
  entity: EntityClass<Row>,
  { of = (user) => ({ user }), ...options }: ExportedRows<Row>,
  columns: readonly (keyof Row)[] | ((row: Row) => object),
): ExportSection {
  const toExported =
    typeof columns === "function"
      ? columns
      : (row: Row) => Object.fromEntries(columns.map((name) => [name, row[name]]));
  return async ({ em }, user) => {
    const all = { limit: MAX_EXPORTED_ROWS, ...options } as object;
    const rows: readonly object[] = await em.find<object>(entity, of(user.id) as FilterQuery<object>, all);
    return rows.map((row) => toExported(row as Row));
  };
}

interface ExportedRows<Row> {
  readonly of?: (userId: string) => object;
  readonly orderBy?: { readonly [Name in keyof Row]?: "asc" | "desc" };
  readonly populate?: readonly (keyof Row)[];
}

/**
 * Creates the sweep that deletes old rows from a table each hour, at most 1,000 at a time, based on the database's
 * clock.
 */
export function createPurgeSweep({ table, endedAt, keptMs }: Retention): Sweep {
  return defineDestructiveSweep({
    name: `purge-${table.replaceAll("_", "-")}`,
    everySeconds: 3_600,
    async run({ pool }, now) {
      const { rowCount } = await pool.query(
        `delete from ${table} where id in (select id from ${table} where ${endedAt} < $1 limit 1000)`,
        [addMilliseconds(now, -keptMs)],
      );
      return rowCount ?? 0;
    },
  });
}
