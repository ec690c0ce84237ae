import { join } from "node:path";
import process from "node:process";
import { Client } from "pg";
import { openOrStartEmbeddedPostgres } from "#api/platform/embedded/postgres.ts";

/** Connects to the database of the server that a browser test uses. The caller closes the connection. */
export async function connectToServerDatabase(baseUrl: string): Promise<Client> {
  const dataDir = join(process.env.BROWSER_TEST_DATA ?? "", new URL(baseUrl).port, "postgres");
  const { host, port, user, database } = await openOrStartEmbeddedPostgres({ dataDir });
  const client = new Client({ host, port, user, database });
  await client.connect();
  return client;
}
