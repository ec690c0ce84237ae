import { expect } from "vitest";
import type { TestApp } from "./test-app.ts";

/** Waits until a statement waits for a row that another transaction has locked. */
export async function waitForLock({ services }: TestApp): Promise<void> {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const count = async () => (await services.pool.query(waiting)).rowCount;
  await expect.poll(count, { interval: 10 }).toBeGreaterThan(0);
}
