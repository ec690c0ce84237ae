import { callbackify } from "node:util";
import pg from "pg";

/** One server of a database URL. */
interface Host {
  readonly host: string;
  readonly port: number;
}

/** The servers of a database URL. Connections use one that `target_session_attrs` accepts. */
export interface DatabaseHosts {
  readonly hosts: readonly Host[];
  /** True if only a server that accepts writes may be used. */
  readonly isWritable: boolean;
}

/** Form of a database URL, for messages about a wrong one. */
export const databaseUrlExample =
  "postgres://user:password@host:5432/name, with special characters of the password encoded, such as %40 for @ and %25 for %";

const DEFAULT_PORT = 5432;

/** SQLSTATE of a statement that would write on a server that accepts no writes. */
export const READ_ONLY = "25006";

/** Longest wait for one server's answer, in milliseconds. All are tried at the same time, so a hanging one delays nobody. */
const PROBE_MS = 2_000;

/** Values of `target_session_attrs` for a server that accepts writes, and those for any server. */
const writableTargets = ["read-write", "primary"];
const targets = ["any", ...writableTargets];

/** Parts of `postgres://user:password@host:port,host:port/name?…`, which `URL` can't read for more than one host. */
const parts = /^(?<start>postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?<hosts>[^@/?#]*)(?<rest>(?:[/?#].*)?)$/i;

/** Returns a database URL with only the first of its hosts, for the parts that all hosts share. */
export function toSingleHostUrl(url: string): URL {
  const { start = "", hosts = "", rest = "" } = parts.exec(url)?.groups ?? {};
  const single = new URL(`${start}${hosts.split(",")[0]}${rest}`);
  single.searchParams.delete("target_session_attrs");
  return single;
}

/** Returns a database URL with another database of the same servers. */
export function replaceDatabaseName(url: string, name: string): string {
  const { start = "", hosts = "", rest = "" } = parts.exec(url)?.groups ?? {};
  return `${start}${hosts}/${encodeURIComponent(name)}${rest.replace(/^\/[^?#]*/, "")}`;
}

/** Returns whether the host and the credentials of a URL can be read, unlike `%db`. */
function isReadable(url: string): boolean {
  try {
    const { hostname, username, password } = new URL(url);
    for (const part of [hostname, username, password]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a text is a database URL with one or more hosts and a known `target_session_attrs`. */
export function isDatabaseUrl(text: string): boolean {
  const { start = "", hosts = "", rest = "" } = parts.exec(text)?.groups ?? {};
  const areUrls = hosts
    .split(",")
    .every((host, _, all) => (host || all.length === 1) && isReadable(start + host + rest));
  return start !== "" && areUrls && targets.includes(readTarget(text));
}

/**
 * Returns the hosts of a valid database URL.
 * @returns null for one host without `target_session_attrs`, which needs no choice
 */
export function readDatabaseHosts(url: string): DatabaseHosts | null {
  const { start = "", hosts = "", rest = "" } = parts.exec(url)?.groups ?? {};
  const isWritable = writableTargets.includes(readTarget(url));
  const all = hosts.split(",");
  if (all.length === 1 && !isWritable) return null;
  return {
    isWritable,
    hosts: all.map((host) => {
      const { hostname, port } = new URL(start + host + rest);
      return { host: decodeURIComponent(hostname).replace(/^\[|\]$/g, ""), port: Number(port) || DEFAULT_PORT };
    }),
  };
}

/** Returns the names of all hosts of a valid database URL. A socket's folder may be in `?host=`. */
export function listHostNames(url: string): string[] {
  const { hostname, searchParams } = toSingleHostUrl(url);
  const hosts = readDatabaseHosts(url)?.hosts.map(({ host }) => host);
  return hosts ?? [searchParams.get("host") || decodeURIComponent(hostname)];
}

/** The server that each set of hosts used last. Another one is looked for only after it failed. */
const chosen = new WeakMap<DatabaseHosts, Host>();

/**
 * A `pg` client that connects to the first of several servers that answers and accepts writes, as libpq does. After a
 * failover, the pool replaces its broken connections by connections to the new primary.
 */
export class HostsClient extends pg.Client {
  readonly #servers: DatabaseHosts | undefined;
  readonly #config: pg.ClientConfig;

  constructor(config?: string | (pg.ClientConfig & { readonly servers?: DatabaseHosts | undefined })) {
    const { servers, ...connection } = typeof config === "string" ? { connectionString: config } : { ...config };
    super(connection);
    this.#servers = servers;
    this.#config = connection;
    if (servers) this.on("error", () => chosen.delete(servers));
  }

  override connect: typeof pg.Client.prototype.connect = ((callback?: (error?: unknown) => void) => {
    if (!this.#servers) return callback ? super.connect(callback) : super.connect();
    const connected = this.#connectToServer(this.#servers);
    if (!callback) return connected;
    return callbackify(() => connected)(callback as never);
  }) as never;

  /** Closes a connection whose server no longer accepts writes, because another one of the hosts may. */
  protected leaveServer(): void {
    if (!this.#servers) return;
    chosen.delete(this.#servers);
    void this.end().catch(() => {});
  }

  async #connectToServer(servers: DatabaseHosts): Promise<void> {
    try {
      const server = chosen.get(servers) ?? (await this.#findServer(servers));
      chosen.set(servers, server);
      Object.assign(this, server);
      await super.connect();
      if (servers.isWritable) await requireWritable(this);
    } catch (error) {
      this.leaveServer();
      throw error;
    }
  }

  /** Returns the server that answers first and is acceptable. */
  async #findServer({ hosts, isWritable }: DatabaseHosts): Promise<Host> {
    try {
      return await Promise.any(hosts.map((host) => this.#probe(host, isWritable)));
    } catch (error) {
      const errors = (error as AggregateError).errors as (Error & { code?: unknown })[];
      // A fault says more than that a server is a standby, which is normal.
      throw errors.find(({ code }) => code !== READ_ONLY) ?? errors[0] ?? error;
    }
  }

  async #probe(host: Host, isWritable: boolean): Promise<Host> {
    const client = new pg.Client({ ...this.#config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
    client.on("error", () => {});
    Object.assign(client, host);
    try {
      await client.connect();
      if (isWritable) await requireWritable(client);
      return host;
    } finally {
      void client.end().catch(() => {});
    }
  }
}

/** @throws Error with the SQLSTATE of a read-only transaction if the server accepts no writes */
async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  );
  if (rows[0]?.isReadOnly)
    throw Object.assign(new Error(`${client.host}:${client.port} accepts no writes`), { code: READ_ONLY });
}

function readTarget(url: string): string {
  return /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? "any";
}
