import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "#api/config.ts";
import { createClock, createMovableClock } from "#api/platform/clock.ts";
import { type Context, createContext, type Services } from "#api/platform/context.ts";
import { migrate } from "#api/app/database.ts";
import { openOrStartEmbeddedPostgres } from "#api/platform/embedded-postgres.ts";
import { createLog } from "#api/platform/log.ts";
import { closeServices, openServices } from "#api/app/services.ts";

/** Restores the saved offset of the development clock. */
export type LoadDevClock = (services: Services) => Promise<void>;

/**
 * Runs a command on the configured database, including the embedded one while a server is using it. The command can't
 * call the payment provider.
 * @param name name of the command, used as the request id
 */
export async function runWithContext(
  name: string,
  loadDevClock: LoadDevClock,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  mkdirSync(config.dataDir, { recursive: true });
  const embedded = config.databaseUrl
    ? null
    : await openOrStartEmbeddedPostgres({ dataDir: join(config.dataDir, "postgres") });
  const address = embedded
    ? {
        host: embedded.host,
        port: embedded.port,
        user: embedded.user,
        password: embedded.password,
        dbName: embedded.database,
      }
    : { url: config.databaseUrl ?? "" };
  try {
    await migrate(address);
    const clock = config.production ? createClock() : createMovableClock();
    const services = await openServices(
      config,
      address,
      { log, clock },
      { jobs: { polling: false }, ...(config.stripe ? {} : { payments: {} as never }) },
    );
    try {
      if (!config.production) await loadDevClock(services);
      await work(createContext(services, { origin: { requestId: name, ip: "" } }));
    } finally {
      await closeServices(services);
    }
  } finally {
    await embedded?.stop();
  }
}
