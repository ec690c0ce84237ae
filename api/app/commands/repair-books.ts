import process from "node:process";
import { readConfig } from "#api/config.ts";
import { type BookDifference, describeDifferences, findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { existingEntriesSql } from "#api/migrations/from-0155.ts";
import { prepareSchema } from "#api/app/database.ts";
import { withDatabase } from "./open-command.ts";
import { printResult } from "./print.ts";
import { withClient } from "#api/app/commands/connect.ts";

/**
 * Runs `server.js repair-books`: adds the entries of the journal that are missing, because a server without a journal
 * recorded the events. Existing entries stay as they are. Servers may run meanwhile, and running it again adds nothing.
 * Exits with 1 if the books still differ.
 */
export async function runRepairBooks({ json = false }: { readonly json?: boolean } = {}): Promise<void> {
  const config = readConfig();
  await withDatabase(config, async (address) => {
    await prepareSchema(config, address);
    await withClient(address, async (client) => {
      const { rowCount: added } = await client.query(existingEntriesSql);
      const { rows: differences } = await client.query<BookDifference>(findBookDifferencesSql);
      const outcome = differences.length === 0 ? "The books agree." : describeDifferences(differences);
      printResult({ added, differences }, json, () => `Entries added: ${added}. ${outcome}\n`);
      if (differences.length > 0) process.exitCode = 1;
    });
  });
}
