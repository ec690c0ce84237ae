import pg from "pg";

/** A statement unanswered for this long has a deaf connection: PostgreSQL itself gives up after 5 s. */
const DEAF_MS = 5_500;

type AnyFunction = (...args: unknown[]) => unknown;
type Release = (error?: Error | boolean) => void;

/**
 * A `pg` client that heals the pool it comes from, in two cases that `pg` and Kysely leave open:
 *
 * - PostgreSQL does not answer at all: the connection is dropped, so that a hanging network costs each
 *   request seconds, not for ever. (`query_timeout` rejects the statement but keeps the deaf connection.)
 * - The connection dies inside a transaction: Kysely gives a connection back only after a `begin`,
 *   `commit` or `rollback` that succeeded, so each such death would take a place of the pool for good.
 */
export class GuardedClient extends pg.Client {
  #release: Release | undefined;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.once("end", () => this.#release?.(true));
  }

  /** Set by the pool at each check-out; here it may be called twice. */
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
    const timer = setTimeout(() => stream.destroy(new Error("Connection terminated: no answer in time")), DEAF_MS);
    const done = () => clearTimeout(timer);
    const last = args.length - 1;
    const callback = args[last];
    if (typeof callback === "function") {
      args[last] = (...results: unknown[]) => {
        done();
        (callback as AnyFunction)(...results);
      };
      return (super.query as AnyFunction)(...args);
    }
    const result = (super.query as AnyFunction)(...args);
    if (result instanceof Promise) return result.finally(done);
    // A cursor is read piece by piece, for as long as its reader likes.
    done();
    return result;
  }) as never;
}
