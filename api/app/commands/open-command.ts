import { join } from "node:path";
import process from "node:process";
import { readConfig } from "#api/config.ts";
import { createClock, createMovableClock } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { type Context, createContext, type Services } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { getConfiguredAddress, getEmbeddedAddress, prepareSchema } from "#api/app/database.ts";
import { openOrStartEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { makeFolder } from "#api/platform/files/make-folder.ts";

/** Restores the saved offset of the development clock. */
export type LoadDevClock = (services: Services) => Promise<void>;

/** Runs `work` with the address of the configured database. Starts the embedded one unless a server is using it. */
export async function withDatabase<Result>(
  config: Parameters<typeof getConfiguredAddress>[0] & Pick<Config, "dataDir">,
  work: (address: DatabaseAddress) => Promise<Result>,
): Promise<Result> {
  const configured = getConfiguredAddress(config);
  if (configured) return work(configured);
  makeFolder(config.dataDir);
  const embedded = await openOrStartEmbeddedPostgres({ dataDir: join(config.dataDir, "postgres") });
  try {
    return await work(await getEmbeddedAddress(embedded));
  } finally {
    await embedded.stop();
  }
}

/**
 * Runs a command on the configured database, including the embedded one while a server is using it. The command can call
 * the payment provider only with a key of its own in `STRIPE_SECRET_KEY`, not the simulator of a server.
 * @param name name of the command, used as the request id
 */
export async function runWithContext(
  name: string,
  loadDevClock: LoadDevClock,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  // Standard output contains only the result of the command.
  const log = createLog(config, process.stderr);
  await withDatabase(config, async (address) => {
    await prepareSchema(config, address);
    const clock = config.production ? createClock() : createMovableClock();
    const services = await openServices(
      config,
      address,
      { log, clock },
      { command: name, jobs: { polling: false }, ...(config.stripe ? {} : { payments: {} as never }) },
    );
    try {
      if (!config.production) await loadDevClock(services);
      await work(createContext(services, { origin: { requestId: name, ip: "" } }));
    } finally {
      await closeServices(services);
    }
  });
}
