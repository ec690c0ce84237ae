import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import type { TestApp } from "./test-app.ts";

/** Erases what a busy machine had no time to erase before the account's deletion was answered. */
export async function finishErasures(test: TestApp): Promise<void> {
  const running = await test.services.orm.em.fork().find(Erasure, { state: "running" });
  for (const { id } of running) await runErasure(test.context(), id);
}
