import { after } from "./clock.ts";
import type { Context } from "./context.ts";
import { destructiveWork } from "./database-clock.ts";
import type { DueWork } from "./due-work.ts";
import { type EntityManager, query } from "./database.ts";

/**
 * Everything personal that a noun keeps: what happens to its tables when a user is erased, and what the file of a user's
 * own data says. Each noun declares it in `personal-data.ts`; `api/privacy/personal-data.ts` lists them all.
 */
export interface PersonalData {
  /** Every table of the noun. */
  readonly tables: Readonly<Record<string, TableTreatment>>;
  readonly erasure?: readonly ErasurePart[];
  /** What the certificate of an erasure counts as kept. */
  readonly kept?: readonly KeptRows[];
  /** Sections of the file of a user's own data: in words and ISO 8601 UTC, without secrets, hashes or tokens. */
  readonly exported?: Readonly<Record<string, (context: Context, user: { id: string }) => Promise<object>>>;
  /** Rows that are removed when they are old enough, whoever they are about. */
  readonly retention?: readonly Retention[];
}

/** Rows of a table, with a primary key `id`, that are removed some time after they ended. */
export interface Retention {
  readonly table: string;
  /** SQL of the moment at which a row ended, null while it has not. */
  readonly endedAt: string;
  /** Time in ms that a row is kept after it ended. */
  readonly keptMs: number;
}

/**
 * What happens to one table when a user is erased. `deleted` names the part that removes the rows as a whole; otherwise
 * every column is listed once: under the part that empties it, under the reason why it is kept, or as not personal. Names of
 * columns are separated by spaces.
 */
export type TableTreatment =
  | { readonly deleted: string; readonly alsoKept?: string }
  | {
      readonly erased?: Readonly<Record<string, string>>;
      readonly kept?: Readonly<Record<string, string>>;
      /** Ids, dates, amounts and states that name nobody. */
      readonly impersonal: string;
    };

/** Rows that stay after an erasure, by an SQL condition on the user `$1`. */
export interface KeptRows {
  readonly title: string;
  readonly table: string;
  readonly where: string;
  readonly reason: string;
}

/** The part of closing an account that comes before all others. */
export const CLOSING = "profile";

/** Reasons to keep a column that several nouns give. */
export const keptBecause = {
  books: "Accounting records without a name.",
  staffLog: "Identifies the actor without a name.",
} as const;

/** Replaces names of devices, of bulk rows, and of subjects in the audit log. */
export const ERASED = "Erased";

/** Replaces the name of an erased member of staff. */
export const FORMER_STAFF = "Erased user";

/** Newest rows of each history in the file of a user's own data; a busy corporate licence has millions. */
export const MOST_EXPORTED = 10_000;

/** Personal data that parts need after the account is closed; removed together with the last part. */
export interface ErasureSubject {
  /** Lower-case email addresses that belong to the user alone. */
  readonly addresses: readonly string[];
  /** Links sent to addresses that the user never confirmed, with the moment they were issued. */
  readonly links: readonly { readonly address: string; readonly at: string }[];
  /** Number of the newest email when the account was closed; later ones may belong to a new account. */
  readonly mailsUpTo: string;
  /** Where the certificate goes; null when the address belongs to another account. */
  readonly mailTo: string | null;
  readonly firstName: string;
}

/** What a part needs to erase one batch. */
export interface Batch {
  readonly context: Context;
  /** The transaction of the batch, which locks the row of the erasure. */
  readonly em: EntityManager;
  readonly userId: string;
  readonly requestedAt: Date;
  readonly subject: ErasureSubject;
  /** Rows to change at most. */
  readonly limit: number;
  /** Where the previous batch ended; undefined for the first one. */
  readonly cursor: unknown;
}

/** What a batch did. */
export interface BatchResult {
  readonly rows: number;
  readonly isDone: boolean;
  readonly cursor?: unknown;
}

/** One kind of personal data and how it is erased. Parts run in the order of `api/privacy/personal-data.ts`. */
export interface ErasurePart {
  readonly name: string;
  /** What the certificate calls the rows. */
  readonly title: string;
  readonly effect: "deleted" | "anonymized";
  readonly table: string;
  /** Runs once, in the transaction that closes the account. For secrets and for little else. */
  readonly atClosing?: true;
  /** Runs after all other parts. */
  readonly runsLast?: true;
  /** Erases at most `limit` rows. Running it again changes nothing that is erased already. */
  readonly run: (batch: Batch) => Promise<BatchResult>;
}

/**
 * Returns a part's `run` for one SQL statement that deletes or updates at most `:limit` rows, without `returning`. It may
 * use `:user`, `:addresses`, `:mailsUpTo`, `:requestedAt` and `:limit`, and is done when it changes fewer rows than `:limit`.
 * @param mostRows rows in a batch at most, for tables whose rows take others with them
 */
export function statement(sql: string, mostRows = Number.POSITIVE_INFINITY): ErasurePart["run"] {
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
    const [changed] = await query<{ count: number }>(
      em,
      `with changed as (${text} returning 1) select count(*)::int as count from changed`,
      values,
    );
    const rows = changed?.count ?? 0;
    return { rows, isDone: rows < atMost };
  };
}

/** Returns a part that deletes a user's rows of one table, found by its column `owner`. */
export function deleted(
  name: string,
  title: string,
  table: string,
  options: { atClosing?: true; owner?: string } = {},
): ErasurePart {
  const { owner = "user_id", ...rest } = options;
  const run = statement(
    `delete from ${table} where id in (select id from ${table} where ${owner} = :user order by id limit :limit)`,
  );
  return { name, title, table, effect: "deleted", run, ...rest };
}

/** Returns the work that removes old rows of one table each hour, at most 1,000 at a time, by the database's clock. */
export function purge({ table, endedAt, keptMs }: Retention): DueWork {
  return destructiveWork({
    name: `purge-${table.replaceAll("_", "-")}`,
    everySeconds: 3_600,
    async run({ pool }, now) {
      const { rowCount } = await pool.query(
        `delete from ${table} where id in (select id from ${table} where ${endedAt} < $1 limit 1000)`,
        [after(now, -keptMs)],
      );
      return rowCount ?? 0;
    },
  });
}
