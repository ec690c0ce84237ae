import process from "node:process";
import { readConfig } from "#api/config.ts";
import { createClock } from "#api/platform/clock.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { closeServices, openServices } from "#api/app/services.ts";
import { withDatabase } from "./open-command.ts";

/**
 * Records the security events of changed keys in the configured database. The server records them too when it starts, but
 * only then.
 * @param name name of the command, used as the request id
 * @throws Error if the settings are incomplete, or the database is unavailable or has an older schema
 */
export async function recordKeyEvents(name: string): Promise<void> {
  const config = readConfig();
  const log = createLog(config, process.stderr);
  await withDatabase(config, async (address) => {
    const given = { log, clock: createClock() };
    // Opening the services records the events.
    await closeServices(
      await openServices(config, address, given, { command: name, jobs: { polling: false }, payments: {} as never }),
    );
  });
}
