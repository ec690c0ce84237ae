import { runSweeps, type Sweep } from "#api/platform/jobs/sweeps.ts";
import type { TestApp } from "./test-app.ts";

/** Runs these sweeps and then all waiting jobs, as `jobs.runSweeps` does with all sweeps of the product, which take longer. */
export async function runOnly({ services }: TestApp, ...sweeps: readonly Sweep[]): Promise<void> {
  await runSweeps(services, sweeps);
  await services.jobs.drain();
}
