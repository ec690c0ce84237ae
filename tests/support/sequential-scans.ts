import type { Pool } from "pg";
import { vi } from "vitest";

type Query = { text: string; values?: unknown[] };

/** Returns the sequential scans of the statements that `work` sends, and the number of statements. Small tables don't count. */
export async function findSequentialScans(pool: Pool, smallTables: readonly string[], work: () => Promise<unknown>) {
  const sent: Query[] = [];
  const original = pool.query.bind(pool) as (...args: unknown[]) => Promise<{ rows: never[] }>;
  const spy = vi.spyOn(pool, "query").mockImplementation(((first: Query | string, values?: unknown[]) => {
    sent.push(typeof first === "string" ? { text: first, values: values ?? [] } : first);
    return original(first, values);
  }) as never);
  await work().finally(() => spy.mockRestore());
  const scans: string[] = [];
  for (const { text, values = [] } of sent) {
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
    for (const { "QUERY PLAN": line } of rows) {
      const table = /Seq Scan on (\w+)/.exec(line)?.[1];
      // PostgreSQL's system tables are read for statistics.
      if (!table || table.startsWith("pg_") || smallTables.includes(table)) continue;
      // Scans of empty monthly partitions cost nothing.
      if (!/^licence_events_(?:\d|default)/.test(table) || !/rows=[01] /.test(line)) scans.push(line.trim());
    }
  }
  // The test clock may read its setting at any time.
  return { scans, statements: sent.filter(({ text }) => !/\bsettings\b/.test(text)).length };
}
