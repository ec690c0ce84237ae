import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { RawCard } from "#api/platform/payments/payments.ts";
import type { CardPaymentValues } from "#schema/manual-invoice.ts";
import type { RefundValues } from "#schema/staff-money.ts";
import { startProgram } from "./programs.ts";
import type { TestApp } from "./test-app.ts";

/** A refund by an admin, an action of a customer, or the job that compares a customer's payments with the provider. */
export type ProviderAction = { readonly userId: string } & (
  | { readonly kind: "refund"; readonly input: RefundValues }
  | { readonly kind: "card-payment"; readonly input: CardPaymentValues }
  | { readonly kind: "subscribe"; readonly input: { planPriceId: string; card: RawCard } }
  | { readonly kind: "change"; readonly input: { planPriceId: string } }
  | { readonly kind: "sync" }
);

/**
 * Runs an action in another process, and kills it before or after the provider handles a request, before the response
 * arrives.
 * @param path path of the request, with `:id` for an ID
 */
export async function killAtProvider(
  app: TestApp,
  method: "GET" | "POST" | "DELETE",
  path: string,
  moment: "before" | "after",
  action: ProviderAction,
): Promise<void> {
  const pattern = new RegExp(`^${path.replace(/:[a-z]+/g, "[^/]+")}$`);
  const from = app.simulator.requests.length;
  app.simulator.faults.add({ method, path, kind: "hang", moment });
  const { database, services, simulator, clock } = app;
  const offsetMs = clock.now().getTime() - Date.now();
  const given = { ...action, database, dataDir: services.config.dataDir, simulatorUrl: simulator.url, offsetMs };
  const child = await startProgram("pause-provider-call", [JSON.stringify(given)]);
  const isReached = () =>
    app.simulator.requests
      .slice(from)
      .some((one) => one.method === method && pattern.test(one.path) && one.status === undefined);
  for (const startedAt = performance.now(); !isReached(); await sleep(10))
    if (performance.now() - startedAt > 120_000) throw new Error(`${method} ${path} was never requested`);
  // The provider finishes what it handles before the process is killed.
  await sleep(100);
  child.kill("SIGKILL");
  await once(child, "exit");
  app.simulator.faults.clear();
}
