import type { MikroORM } from "@mikro-orm/postgresql";
import { openDatabase } from "#api/app/database.ts";
import { openServices } from "#api/app/services.ts";
import type { Config } from "#api/platform/config.ts";
import type { Services } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { defaultOperations } from "#api/platform/operations-settings.ts";
import { whenDone } from "./when-done.ts";

/** ORMs of earlier test files. Connecting one to another database is faster than finding all entities again. */
const unused: MikroORM[] = [];

/** Opens services for this test file, like {@link openServices}. The caller closes them. */
export async function openTestServices(
  config: Config,
  address: DatabaseAddress,
  given: Parameters<typeof openServices>[2],
  options?: Parameters<typeof openServices>[3],
): Promise<Services> {
  if (config.operations !== defaultOperations || "url" in address) return openServices(config, address, given, options);
  const orm = unused.pop() ?? (await openDatabase(address));
  await orm.reconnect(address);
  // Hooks run in reverse order, so the services are closed before.
  whenDone(() => void unused.push(orm));
  return openServices(config, address, given, { ...options, orm });
}
