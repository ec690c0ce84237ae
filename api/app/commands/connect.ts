import type pg from "pg";
import type { Config } from "#api/platform/config.ts";
import { type DatabaseAddress, toPoolConfig } from "#api/platform/database/database.ts";
import { HostsClient, replaceDatabaseName } from "#api/platform/database/database-hosts.ts";

/** Connects to a database without a pool, for commands. The caller ends the connection. */
export async function connectClient(address: DatabaseAddress, limits: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new HostsClient({ ...toPoolConfig(address), ...limits });
  // A lost connection already fails the running statement.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Runs `work` with a connection to a database, and ends it. */
export async function withClient<Result>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<Result>,
  limits?: pg.ClientConfig,
): Promise<Result> {
  const client = await connectClient(address, limits);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the address of another database on the same server for both roles, over connections in session mode. */
export function toDatabase(
  config: Pick<Config, "operations">,
  { owner, ...address }: DatabaseAddress,
  name?: string,
): DatabaseAddress {
  const both = owner ? { owner: replaceName(owner, name) } : {};
  const direct = "url" in address ? { url: config.operations.directUrl ?? address.url } : address;
  return { ...replaceName(direct, name), ...both };
}

function replaceName(address: DatabaseAddress, name: string | undefined): DatabaseAddress {
  if (!name) return address;
  return "url" in address ? { url: replaceDatabaseName(address.url, name) } : { ...address, dbName: name };
}
