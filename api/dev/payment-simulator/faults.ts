import { setTimeout as sleep } from "node:timers/promises";

/** A fault to inject into matching requests. */
export interface Fault {
  readonly method: string;
  /** Path of the requests; `:id` matches any one segment, as in `/v1/invoices/:id/pay`. */
  readonly path: string;
  /** `slow` delays the request by `ms`, `hang` never responds, `error` returns 500, `close` closes the connection. */
  readonly kind: "slow" | "hang" | "error" | "close";
  /** When the request fails: `before` it is handled, or `after`, so that only the response is lost. Default `before`. */
  readonly moment?: "before" | "after";
  readonly ms?: number;
  /** Number of matching requests that succeed first. Default: 0. */
  readonly skip?: number;
  /** Number of requests that then fail. Default: 1. */
  readonly times?: number;
}

/** Injects faults for tests. */
export interface Faults {
  add(fault: Fault): void;
  /** Removes all faults and closes the connections of hanging requests. */
  clear(): void;
}

/** Failure the server returns instead of a response. */
export type Failure = "error" | "close";

export class FaultQueue implements Faults {
  #queue: { fault: Fault; pattern: RegExp; skip: number; times: number }[] = [];
  readonly #hanging = new Set<() => void>();

  add(fault: Fault): void {
    const pattern = new RegExp(`^${fault.method} ${fault.path.replace(/:[a-z]+/g, "[^/]+")}$`);
    this.#queue.push({ fault, pattern, skip: fault.skip ?? 0, times: fault.times ?? 1 });
  }

  clear(): void {
    this.#queue = [];
    for (const release of this.#hanging) release();
    this.#hanging.clear();
  }

  /** Returns the fault for a request, if any, and counts it. */
  take(method: string, path: string): Fault | undefined {
    for (const entry of this.#queue) {
      if (entry.times === 0 || !entry.pattern.test(`${method} ${path}`)) continue;
      if (entry.skip === 0) {
        entry.times--;
        return entry.fault;
      }
      entry.skip--;
    }
    return undefined;
  }

  /** Applies a fault if it is meant for this moment. Returns the failure the server must return, or null. */
  async apply(fault: Fault | undefined, at: "before" | "after"): Promise<Failure | null> {
    const { kind, ms = 0, moment = "before" } = fault ?? {};
    if (!kind || moment !== at) return null;
    if (kind === "error" || kind === "close") return kind;
    if (kind === "slow") {
      await sleep(ms, undefined, { ref: false });
      return null;
    }
    await new Promise<void>((resolve) => this.#hanging.add(resolve));
    return "close";
  }
}
