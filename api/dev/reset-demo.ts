/** Implements `npm run demo:reset`, which empties the database on a development machine and fills it with demo data. */
import { join } from "node:path";
import process from "node:process";
import { readConfig } from "#api/config.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { getConfiguredAddress, getEmbeddedAddress, migrate, ownedObjects } from "#api/app/database.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { withClient } from "#api/app/commands/connect.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { fillDemoData } from "./demo-data.ts";
import { linkDemoSubscriptions } from "#api/dev/demo/link-subscriptions.ts";
import { startDevPayments } from "./dev-payments.ts";

async function resetDemo(): Promise<void> {
  const config = readConfig();
  if (config.production) throw new Error("demo:reset deletes all data, so it doesn't run in production.");
  const embedded = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: join(config.dataDir, "postgres") });
  try {
    const address = embedded ? await getEmbeddedAddress(embedded) : (getConfiguredAddress(config) ?? { url: "" });
    await migrate(address);
    const base = { log: createLog(config), clock: createMovableClock() };
    const devPayments = config.stripe ? null : await startDevPayments(address, base, { polling: false });
    const services = await openServices(config, address, base, { jobs: { polling: false }, ...devPayments });
    try {
      await emptyDatabase(address);
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

/** Deletes all rows the product wrote, including waiting jobs, and resets the clock to the machine's time. */
export async function emptyDatabase(address: DatabaseAddress): Promise<void> {
  await withClient(address.owner ?? address, async (client) => {
    await client.query("begin");
    const { rows: months } = await client.query<{ name: string }>(
      "select quote_ident(name) as name from detached_event_months where to_regclass('public.' || name) is not null",
    );
    for (const { name } of months) await client.query(`drop table ${name}`);
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname = 'payment_simulator'
           or (schemaname = 'public' and tablename not in ('mikro_orm_migrations', 'settings', 'audit_keys'))`,
    );
    for (const name of ownedObjects.tables) await client.query(`alter table ${name} disable trigger user`);
    await client.query(`truncate ${tables.map(({ name }) => name).join(", ")} restart identity`);
    for (const name of ownedObjects.tables) await client.query(`alter table ${name} enable trigger user`);
    await client.query("delete from settings where name <> 'clock'");
    // Records the reset as a move instead of deleting the row, so that running processes notice it.
    await client.query(
      `update settings set value = jsonb_build_object('offsetMs', 0, 'move', (value->>'move')::int + 1) where name = 'clock'`,
    );
    await client.query("delete from pgboss.job");
    await client.query("commit");
  });
}
