import type pg from "pg";
import { GuardedClient } from "./guarded-client.ts";

type AnyFunction = (...args: unknown[]) => unknown;
type Reply = (error: unknown, result?: unknown) => void;

/** Time limits of a transaction, in milliseconds. */
export interface TransactionLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/** The options that the pool passes to {@link PooledClient}. */
interface PooledConfig extends pg.ClientConfig {
  readonly transactionLimits: TransactionLimits;
}

/** Matches the statement that begins a transaction, up to its end. */
const BEGIN = /^\s*(?:begin|start\s+transaction)\b[^;]*/i;

/**
 * A client for a pooler in transaction mode, such as PgBouncer, which may use another server connection for each
 * transaction. It therefore keeps no state in the session:
 *
 * - Time limits are set, and JIT compilation is turned off, with SET LOCAL at the beginning of each transaction. A statement
 *   outside a transaction gets one.
 * - Statements aren't prepared by name. PgBouncer before 1.21 doesn't support that.
 * - No start-up parameters are sent.
 */
export class PooledClient extends GuardedClient {
  constructor(config: PooledConfig) {
    const { transactionLimits, ...connection } = config;
    super(connection);
    const limits = [
      "set local jit = off",
      ...Object.entries(transactionLimits).map(([name, ms]) => `set local ${name} = ${Number(ms)}`),
    ];
    const begin = `begin; ${limits.join("; ")}`;
    const send = this.query as unknown as AnyFunction;

    let isInTransaction = false;
    (this as unknown as { connection: NodeJS.EventEmitter }).connection.on(
      "readyForQuery",
      ({ status }: { status: string }) => (isInTransaction = status !== "I"),
    );

    /** Begins a transaction with limits, and removes their results. */
    const beginLimited = async (text: string): Promise<unknown> => {
      const isAlone = text.replace(BEGIN, "").replaceAll(/[\s;]/g, "") === "";
      const results = (await send(text.replace(BEGIN, (found) => `${found}; ${limits.join("; ")}`))) as unknown[];
      results.splice(1, limits.length);
      return isAlone ? results[0] : results;
    };
    /** Runs a statement in a new transaction. */
    const runLimited = async (...args: unknown[]): Promise<unknown> => {
      await send(begin);
      let result: unknown;
      try {
        result = await send(...args);
      } catch (error) {
        // A lost connection already rolled back.
        await (send("rollback") as Promise<unknown>).catch(() => {});
        throw error;
      }
      await send("commit");
      return result;
    };

    this.query = ((...given: unknown[]) => {
      const args = [...given];
      const reply = typeof args.at(-1) === "function" ? (args.pop() as Reply) : null;
      // Cursors and COPY are used in transactions only.
      if (typeof (args[0] as { submit?: unknown } | undefined)?.submit === "function") return send(...given);
      if (typeof args[0] === "object") args[0] = { ...(args[0] as object), name: undefined };
      const text = typeof args[0] === "string" ? args[0] : (args[0] as pg.QueryConfig).text;
      const done = (
        isInTransaction ? send(...args) : BEGIN.test(text) ? beginLimited(text) : runLimited(...args)
      ) as Promise<unknown>;
      if (!reply) return done;
      done.then(
        (result) => reply(null, result),
        (error: unknown) => reply(error),
      );
      return undefined;
    }) as never;
  }
}
