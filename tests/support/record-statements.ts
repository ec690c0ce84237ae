import pg from "pg";
import { getCurrentDatabase } from "./test-database.ts";

/** Fragments of statements that a process runs periodically, independent of requests. */
const periodicStatements = [
  // Checks for a changed development clock.
  "select value from settings",
  // Compares the clock with the database.
  "extract(epoch from clock_timestamp())",
  // Reads word frequencies.
  "most_common_elem_freqs",
  // Polls for jobs.
  "pgboss.",
  // Writes the security events of earlier requests.
  "insert into security_events",
];

/** Runs `work` and returns the statements that this process sends to the test file's database during that time, in order. */
export async function recordStatements(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const client = pg.Client.prototype;
  const original = Object.getOwnPropertyDescriptor(client, "query")?.value as (...args: unknown[]) => unknown;
  client.query = function counted(this: pg.Client, ...args: unknown[]) {
    const first = args[0] as string | { text?: string };
    if (this.database === getCurrentDatabase())
      statements.push((typeof first === "string" ? first : (first.text ?? "")).trim());
    return original.apply(this, args);
  } as never;
  try {
    await work();
  } finally {
    client.query = original as never;
  }
  return statements.filter((statement) => !periodicStatements.some((fragment) => statement.includes(fragment)));
}
