/** Implements `npm run demo:reset`, which empties the database on a development machine and fills it with demo data. */
import { join } from "node:path";
import process from "node:process";
import { readConfig } from "#api/config.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { migrate } from "#api/app/database.ts";
import { type DatabaseAddress, type EntityManager, query } from "#api/platform/database/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { fillDemoData } from "./demo-data.ts";
import { linkDemoSubscriptions } from "#api/dev/demo/link-subscriptions.ts";
import { startDevPayments } from "./dev-payments.ts";
import { inTransaction } from "#api/platform/database/transactions.ts";
import type { Services } from "#api/platform/context.ts";
import { listDetachedMonths } from "#api/licensing/licences/maintain-event-partitions.ts";

async function resetDemo(): Promise<void> {
  const config = readConfig();
  if (config.production) throw new Error("demo:reset deletes all data, so it doesn't run in production.");
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: join(config.dataDir, "postgres") });
  try {
    const address: DatabaseAddress = embedded
      ? {
          host: embedded.host,
          port: embedded.port,
          user: embedded.user,
          password: embedded.password,
          dbName: embedded.database,
        }
      : { url: config.databaseUrl ?? "" };
    await migrate(address);
    const base = { log: createLog(config), clock: createMovableClock() };
    const devPayments = config.stripe ? null : await startDevPayments(address, base, { polling: false });
    const services = await openServices(config, address, base, { jobs: { polling: false }, ...devPayments });
    try {
      await emptyDatabase(services);
      await fillDemoData(services);
      if (devPayments) await linkDemoSubscriptions(services, devPayments);
      process.stdout.write("The demo data has been reset.\n");
    } finally {
      await closeServices(services);
      await devPayments?.close();
    }
  } finally {
    await embedded?.stop();
  }
}

resetDemo().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});

/** Tables that refuse to be emptied. */
const appendOnlyTables = ["audit_entries", "security_events", "audit_links"];

/** Deletes all rows the product wrote, including waiting jobs, and resets the clock to the machine's time. */
export async function emptyDatabase({ orm }: Pick<Services, "orm">): Promise<void> {
  await inTransaction({ em: orm.em.fork() as EntityManager }, async (tx) => {
    for (const month of await listDetachedMonths(tx)) await query(tx, `drop table ${month}`, []);
    const tables = await query<{ name: string }>(
      tx,
      `select quote_ident(tablename) as name from pg_tables
       where schemaname = 'public' and tablename not in ('mikro_orm_migrations', 'settings', 'audit_keys')`,
      [],
    );
    for (const name of appendOnlyTables) await query(tx, `alter table ${name} disable trigger user`, []);
    await query(tx, `truncate ${tables.map(({ name }) => name).join(", ")} restart identity`, []);
    for (const name of appendOnlyTables) await query(tx, `alter table ${name} enable trigger user`, []);
    await query(tx, "delete from settings where name <> 'clock'", []);
    // Records the reset as a move instead of deleting the row, so that running processes notice it.
    await query(
      tx,
      `update settings set value = jsonb_build_object('offsetMs', 0, 'move', (value->>'move')::int + 1) where name = 'clock'`,
      [],
    );
    await query(tx, "delete from pgboss.job", []);
    await emptySimulator(tx);
  });
}

async function emptySimulator(em: EntityManager): Promise<void> {
  const tables = await query<{ name: string }>(
    em,
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'payment_simulator'",
    [],
  );
  if (tables.length > 0) await query(em, `truncate ${tables.map(({ name }) => name).join(", ")} restart identity`, []);
}
