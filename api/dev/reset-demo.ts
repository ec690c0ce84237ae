/** `npm run demo:reset`: empties the database of a development machine and fills it with fresh demo data. */
import { join } from "node:path";
import process from "node:process";
import { readConfig } from "#api/config.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import { migrate } from "#api/app/database.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";
import { startEmbeddedPostgres } from "#api/platform/embedded-postgres.ts";
import { createLog } from "#api/platform/log.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { fillDemoData } from "./demo-data.ts";
import { linkDemoSubscriptions } from "./demo/link-subscriptions.ts";
import { startDevPayments } from "./dev-payments.ts";
import { emptyDatabase } from "./empty-database.ts";

async function resetDemo(): Promise<void> {
  const config = readConfig();
  if (config.production) throw new Error("demo:reset deletes everything and is refused in production.");
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
    const given = { log: createLog(config), clock: createMovableClock() };
    const devPayments = config.stripe ? null : await startDevPayments(address, given, { polling: false });
    const services = await openServices(config, address, given, { jobs: { polling: false }, ...devPayments });
    try {
      await emptyDatabase(services);
      await fillDemoData(services);
      if (devPayments) await linkDemoSubscriptions(services, devPayments);
      process.stdout.write("The demo data are as on the first day.\n");
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
