/** `npm run plans:sync`: brings the catalogue into the database and to the payment provider. Doing it twice changes nothing. */
import process from "node:process";
import { readConfig } from "#api/config.ts";
import { upsertCatalogue } from "#api/features/plans/upsert-catalogue.ts";
import { syncPlans } from "#api/features/plans/sync-plans.ts";
import { systemClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { migrate } from "#api/platform/database.ts";
import { createLog } from "#api/platform/log.ts";
import { closeServices, openServices } from "#api/services.ts";

async function sync(): Promise<void> {
  const config = readConfig();
  if (!config.stripe || !config.databaseUrl)
    throw new Error(
      "Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET and DATABASE_URL: the payment simulator has the catalogue by itself.",
    );
  const address = { url: config.databaseUrl };
  await migrate(address);
  const given = { log: createLog(config), clock: systemClock };
  const services = await openServices(config, address, given, { jobs: { polling: false } });
  try {
    const context = createContext(services);
    await upsertCatalogue(context.em);
    const prices = await syncPlans(context);
    process.stdout.write(`The payment provider has the ${prices} prices of the catalogue.\n`);
  } finally {
    await closeServices(services);
  }
}

sync().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
