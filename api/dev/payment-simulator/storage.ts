import pg from "pg";
import type { DatabaseAddress } from "#api/platform/database.ts";

/** Key of the advisory lock: one request or one step of due work at a time, over all processes. */
const LOCK = 7_426_101;

const SCHEMA = `
create schema if not exists payment_simulator;
create table if not exists payment_simulator.objects (
  number bigint generated always as identity primary key,
  id text not null unique,
  type text not null,
  customer text,
  clock text,
  due bigint,
  body jsonb not null
);
create index if not exists objects_by_type on payment_simulator.objects (type, number);
create index if not exists objects_by_customer on payment_simulator.objects (customer, type);
create index if not exists objects_due on payment_simulator.objects (due) where due is not null;
create table if not exists payment_simulator.idempotency_keys (
  key text primary key,
  fingerprint text not null,
  status int not null,
  body text not null
);
create table if not exists payment_simulator.deliveries (
  number bigint generated always as identity primary key,
  event text not null,
  due_ms bigint not null,
  attempts int not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dropped', 'failed'))
);
create index if not exists deliveries_due on payment_simulator.deliveries (due_ms) where state = 'waiting';
`;

/** The simulator's own few connections to the schema `payment_simulator`. */
export interface Storage {
  /** Runs `work` in a transaction that no other request or process shares. */
  exclusively<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction beside others. */
  inTransaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Connects to a database and makes the schema where it is missing. */
export async function openStorage(address: DatabaseAddress): Promise<Storage> {
  const connection =
    "url" in address
      ? { connectionString: address.url }
      : { ...address, user: address.user ?? "postgres", database: address.dbName };
  const pool = new pg.Pool({ ...connection, max: 4, allowExitOnIdle: true });
  // A connection that dies while nobody uses it leaves the pool by itself; the next one opens another.
  pool.on("error", () => {});
  // One that dies in use fails its statement; unheard, it would end the process besides.
  pool.on("connect", (client) => client.on("error", () => {}));
  const transact = async <T>(locked: boolean, work: (client: pg.ClientBase) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query("begin");
      if (locked) await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
      const result = await work(client);
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };
  const storage: Storage = {
    exclusively: (work) => transact(true, work),
    inTransaction: (work) => transact(false, work),
    close: () => pool.end(),
  };
  try {
    await storage.exclusively((client) => client.query(SCHEMA));
  } catch (error) {
    await pool.end();
    throw error;
  }
  return storage;
}
