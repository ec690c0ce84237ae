import pg from "pg";

/** Statements that a process runs on its own from time to time, whatever is asked of it meanwhile. */
const background = [
  // Looks for moves of the development clock.
  "select value from settings",
  // Compares its clock with the database's.
  "extract(epoch from clock_timestamp())",
  // Reads how common words are.
  "most_common_elem_freqs",
  // Looks for jobs.
  "pgboss.",
];

/**
 * Runs `work` and answers the statements that went to the database meanwhile, in order, from this
 * process: every one goes through a `pg` client, whichever lane it took.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const client = pg.Client.prototype;
  const original = Object.getOwnPropertyDescriptor(client, "query")?.value as (...args: unknown[]) => unknown;
  client.query = function counted(this: pg.Client, ...args: unknown[]) {
    const first = args[0] as string | { text?: string };
    statements.push((typeof first === "string" ? first : (first.text ?? "")).trim());
    return original.apply(this, args);
  } as never;
  try {
    await work();
  } finally {
    client.query = original as never;
  }
  return statements.filter((statement) => !background.some((words) => statement.includes(words)));
}
