import pg from "pg";
import { HostsClient, READ_ONLY } from "./database-hosts.ts";
import { isTracing, type Span, startSpan } from "#api/platform/observe/tracing.ts";

/** Time after which a connection without a response is considered dead. PostgreSQL's own timeout is 5 s. */
const DEAD_AFTER_MS = 5_500;

type AnyFunction = (...args: unknown[]) => unknown;
type Release = (error?: Error | boolean) => void;

/**
 * A `pg` client that keeps its pool healthy in three cases that `pg` and Kysely don't handle:
 *
 * - PostgreSQL doesn't respond: the connection is closed, so requests don't hang forever. (`query_timeout` rejects the
 *   statement but keeps the dead connection.)
 * - A connection is lost in a transaction: Kysely returns a connection to the pool only after a successful `begin`,
 *   `commit` or `rollback`, so the pool would permanently lose a connection each time.
 * - A server of several became a standby: the connection is closed, and the next one finds the new primary.
 */
export class GuardedClient extends HostsClient {
  #release: Release | undefined;

  constructor(config?: ConstructorParameters<typeof HostsClient>[0]) {
    super(config);
    this.once("end", () => this.#release?.(true));
  }

  /** Stores the release function that the pool sets at each checkout, and makes it safe to call twice. */
  set release(release: Release) {
    let released = false;
    this.#release = (error) => {
      if (released) return;
      released = true;
      release(error);
    };
  }

  get release(): Release {
    return this.#release ?? (() => {});
  }

  override query: typeof pg.Client.prototype.query = ((...args: unknown[]) => {
    const { stream } = (this as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection;
    const timer = setTimeout(
      () => stream.destroy(new Error("Connection terminated: no answer in time")),
      DEAD_AFTER_MS,
    );
    const span = startStatementSpan(args[0]);
    const finish = (error?: unknown) => {
      clearTimeout(timer);
      span?.end(error ?? undefined);
      if ((error as { code?: unknown } | null | undefined)?.code === READ_ONLY) this.leaveServer();
    };
    const last = args.length - 1;
    const callback = args[last];
    if (typeof callback === "function") {
      args[last] = (...results: unknown[]) => {
        finish(results[0]);
        (callback as AnyFunction)(...results);
      };
      return (super.query as AnyFunction)(...args);
    }
    const result = (super.query as AnyFunction)(...args);
    if (result instanceof Promise) {
      result.then(
        () => finish(),
        (error: unknown) => finish(error),
      );
      return result;
    }
    // A cursor is read in batches and may stay open as long as its reader needs.
    finish();
    return result;
  }) as never;
}

/** Starts a span named by the statement's verb and table. Its text isn't recorded, because the ORM's can contain values. */
function startStatementSpan(statement: unknown): Span | null {
  if (!isTracing()) return null;
  const { text = "", name } = typeof statement === "string" ? { text: statement } : (statement as pg.QueryConfig);
  const verb = /\w+/.exec(text)?.[0]?.toUpperCase() ?? "SQL";
  const table = /\b(?:from|into|update|join)\s+"?([a-z_.]+)/i.exec(text)?.[1];
  return startSpan(table ? `${verb} ${table}` : verb, "client", {
    "db.system.name": "postgresql",
    "db.operation.name": verb,
    ...(table ? { "db.collection.name": table } : {}),
    ...(name ? { "db.query.summary": name } : {}),
  });
}
