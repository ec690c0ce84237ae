import { randomUUID } from "node:crypto";
import { ask, change, type ClientOptions, type Outcome } from "./asker.ts";

/** What came of a report. */
export interface UsageReport {
  /** Events the service has, and this machine has forgotten. */
  readonly reported: number;
  /** Events that wait for the next report. */
  readonly waiting: number;
  /** Conversions left, on a licence with a limit. */
  readonly remaining?: number;
}

/** Most events of one report. */
const AT_ONCE = 500;

/**
 * Notes conversions under ids of their own before anything is sent, and reports all that wait. An event is forgotten
 * once an answer names the machine: only then did the service record it. Until then it is sent again, with its id,
 * which the service counts once.
 */
export async function reportUsage(
  options: ClientOptions,
  conversions: number,
): Promise<{ report: UsageReport; outcome?: Outcome }> {
  const { store, now } = options;
  const { licenceCode = "", machineToken } = store.read();
  const done = Array.from({ length: conversions }, () => ({
    licenceCode,
    id: randomUUID(),
    kind: "conversion" as const,
    atUtc: now().toISOString(),
  }));
  change(store, { usage: [...store.read().usage, ...done] });

  let reported = 0;
  let outcome: Outcome | undefined;
  while (machineToken) {
    const waiting = store.read().usage.filter((event) => event.licenceCode === licenceCode);
    const events = waiting.slice(0, AT_ONCE).map(({ id, kind, atUtc }) => ({ id, kind, atUtc }));
    if (events.length === 0) break;
    outcome = await ask(options, "usage", licenceCode, { machineToken, events });
    if (!outcome.data?.machine) break;
    const sent = new Set(events.map(({ id }) => id));
    change(store, { usage: store.read().usage.filter(({ id }) => !sent.has(id)) });
    reported += events.length;
  }
  const remaining = outcome?.data?.usageRemaining;
  return {
    report: { reported, waiting: store.read().usage.length, ...(remaining === undefined ? {} : { remaining }) },
    ...(outcome ? { outcome } : {}),
  };
}
