import process from "node:process";
import { ConfigError, readConfig } from "#api/config.ts";
import { syncPlans, upsertCatalogue } from "#api/billing/plans/sync-catalogue.ts";
import { createClock } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { getConfiguredAddress, prepareSchema } from "#api/app/database.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { printResult } from "./print.ts";

/**
 * Runs `server.js sync-plans`: copies the catalogue to the database and to the payment provider. Running it again changes
 * nothing.
 * @throws ConfigError if the payment provider or the database isn't set up
 * @throws AppError UNAVAILABLE if the payment provider can't be reached; UNPROCESSABLE if the schema is behind and
 * `MIGRATE` is manual
 */
export async function runSyncPlans({ json = false }: { readonly json?: boolean } = {}): Promise<void> {
  const config = readConfig();
  if (!config.stripe)
    throw new ConfigError([
      "STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set. The payment simulator doesn't need this command.",
    ]);
  const address = getConfiguredAddress(config);
  if (!address) throw new ConfigError(["DATABASE_URL must be set."]);
  await prepareSchema(config, address);
  const given = { log: createLog(config, process.stderr), clock: createClock() };
  const services = await openServices(config, address, given, { jobs: { polling: false } });
  try {
    const context = createContext(services);
    await upsertCatalogue(context);
    const prices = await syncPlans(context);
    printResult({ prices }, json, () => `The payment provider has the ${prices} prices of the catalogue.\n`);
  } finally {
    await closeServices(services);
  }
}
