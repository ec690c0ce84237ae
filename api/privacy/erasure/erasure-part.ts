import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import type { ErasureSubject } from "./erasure.entity.ts";

/** Replaces names of devices, of bulk rows, and of subjects in the audit log. */
export const ERASED = "Erased";

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

/** One kind of personal data and how it is erased. Parts run in the order of their list. */
export interface ErasurePart {
  readonly name: string;
  /** What the certificate calls the rows. */
  readonly title: string;
  readonly effect: "deleted" | "anonymized";
  readonly table: string;
  /** Runs once, in the transaction that closes the account. For secrets and for little else. */
  readonly atClosing?: true;
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
