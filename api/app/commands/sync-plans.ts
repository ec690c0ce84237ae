import { ConfigError, readConfig } from "#api/config.ts";
import { syncPlans, upsertCatalogue } from "#api/billing/plans/sync-catalogue.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";
import { printResult } from "./print.ts";

/**
 * Runs `server.js sync-plans`: copies the catalogue to the database and to the payment provider. Running it again changes
 * nothing.
 * @throws ConfigError if the payment provider or the database isn't set up
 * @throws AppError UNAVAILABLE if the payment provider can't be reached; UNPROCESSABLE if the schema is behind and
 * `MIGRATE` is manual
 */
export async function runSyncPlans({ json }: { readonly json?: true }, loadDevClock: LoadDevClock): Promise<void> {
  const { stripe, databaseUrl } = readConfig();
  if (!stripe)
    throw new ConfigError([
      "STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set. The payment simulator doesn't need this command.",
    ]);
  if (!databaseUrl) throw new ConfigError(["DATABASE_URL must be set."]);
  await runWithContext("sync-plans", loadDevClock, async (context) => {
    await upsertCatalogue(context);
    const prices = await syncPlans(context);
    printResult({ prices }, json, () => `The payment provider has the ${prices} prices of the catalogue.\n`);
  });
}
