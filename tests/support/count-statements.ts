import pg from "pg";

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
  // The development clock looks for moves on its own, and how common words are is read now and then beside the requests;
  // neither is anybody's answer.
  return statements.filter(
    (statement) => !statement.startsWith("select value from settings") && !statement.includes("most_common_elem_freqs"),
  );
}
