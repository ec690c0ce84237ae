import { randomUUID } from "node:crypto";
import { isSameCode, sendCall, updateState, type ClientOptions, type Outcome } from "./requests.ts";

export interface UsageReport {
  /** Number of events that the service has recorded and this machine has deleted. */
  readonly reported: number;
  /** Number of events waiting for the next report. */
  readonly waiting: number;
  /** Conversions left on a licence with a limit. */
  readonly remaining?: number;
}

/** Largest number of events in one report. */
const BATCH_SIZE = 500;

/**
 * Stores conversions with their ids before sending anything, then reports all that are waiting. An event is deleted
 * once an answer names the device, because only then has the service recorded it. Until then it is sent again with its
 * id, and the service counts it once.
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
  updateState(store, { usage: [...store.read().usage, ...done] });

  let reported = 0;
  let outcome: Outcome | undefined;
  while (machineToken) {
    const waiting = store.read().usage.filter((event) => isSameCode(event.licenceCode, licenceCode));
    const events = waiting.slice(0, BATCH_SIZE).map(({ id, kind, atUtc }) => ({ id, kind, atUtc }));
    if (events.length === 0) break;
    outcome = await sendCall(options, "usage", licenceCode, { machineToken, events });
    if (!outcome.data?.machine) break;
    const sent = new Set(events.map(({ id }) => id));
    updateState(store, { usage: store.read().usage.filter(({ id }) => !sent.has(id)) });
    reported += events.length;
  }
  const remaining = outcome?.data?.usageRemaining;
  return {
    report: { reported, waiting: store.read().usage.length, ...(remaining === undefined ? {} : { remaining }) },
    ...(outcome ? { outcome } : {}),
  };
}
