import { afterAll, onTestFinished, TestRunner } from "vitest";

/**
 * Cleans up after the running test, or outside a test after the file. Inside a test, Vitest never runs an `afterAll`, and what
 * stays open slows every later file of the worker down. Clean-ups run in reverse order.
 */
export function whenDone(cleanUp: () => void | Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(cleanUp);
  else afterAll(cleanUp);
}
