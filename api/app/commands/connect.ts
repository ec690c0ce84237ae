import pg from "pg";
import type { Config } from "#api/platform/config.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";

/** Connects to a database without a pool, for commands. The caller ends the connection. */
export async function connectClient(address: DatabaseAddress, limits: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ ...toClientConfig(address), ...limits });
  // A lost connection already fails the running statement.
  client.on("error", () => {});
  await client.connect();
  return client;
}

function toClientConfig(address: DatabaseAddress): pg.ClientConfig {
  if ("url" in address) return { connectionString: address.url };
  const { dbName, ...server } = address;
  return { ...server, database: dbName };
}

/** Returns the address of another database on the same server, over a connection in session mode. */
export function toDatabase(
  config: Pick<Config, "operations">,
  address: DatabaseAddress,
  name?: string,
): DatabaseAddress {
  if (!("url" in address)) return name ? { ...address, dbName: name } : address;
  const url = new URL(config.operations.directUrl ?? address.url);
  if (name) url.pathname = `/${name}`;
  return { url: url.href };
}
