import pg from "pg";
import { type DatabaseAddress, toPoolConfig } from "#api/platform/database/database.ts";

/** Key of the advisory lock that lets one request or due task run at a time across all processes. */
const LOCK = 7_426_101;

const SCHEMA = `
create schema if not exists payment_simulator;
create table if not exists payment_simulator.objects (
  number bigint generated always as identity primary key,
  id text not null unique,
  type text not null,
  customer text,
  due bigint,
  body jsonb not null
);
create index if not exists objects_by_type on payment_simulator.objects (type, number);
create index if not exists objects_by_customer on payment_simulator.objects (customer, type);
create index if not exists objects_by_invoice on payment_simulator.objects ((body->>'invoice')) where type = 'invoice_payment';
create index if not exists objects_by_charge on payment_simulator.objects ((body->>'charge')) where type = 'refund';
create index if not exists events_by_number on payment_simulator.objects
  (number, (body->>'type'), ((body->>'created')::bigint)) where type = 'event';
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

/** The simulator's database connections. */
export interface Storage {
  /** Runs `work` in a transaction, one at a time across all processes. */
  runExclusive<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction that may run concurrently with others. */
  runInTransaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens the storage. The first use connects to the database and creates the schema if it doesn't exist. */
export function openStorage(address: DatabaseAddress): Storage {
  const pool = new pg.Pool({ ...toPoolConfig(address), max: 4, allowExitOnIdle: true });
  // The pool removes an idle connection that fails and opens another when needed.
  pool.on("error", () => {});
  // A connection that fails in use rejects its statement. Without a listener, the error would also end the process.
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
  let prepared: Promise<unknown> | null = null;
  const prepare = (): Promise<unknown> => {
    prepared ??= transact(true, (client) => client.query(SCHEMA)).catch((error: unknown) => {
      prepared = null;
      throw error;
    });
    return prepared;
  };
  return {
    runExclusive: (work) => prepare().then(() => transact(true, work)),
    runInTransaction: (work) => prepare().then(() => transact(false, work)),
    close: () => pool.end(),
  };
}
