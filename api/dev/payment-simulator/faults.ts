import { setTimeout as sleep } from "node:timers/promises";

/** What goes wrong with a request. */
export interface Fault {
  readonly method: string;
  /** Path as it is asked, `:id` standing for any one part: `/v1/invoices/:id/pay`. */
  readonly path: string;
  /** `slow` answers after `ms`; `hang` never answers; `error` answers 500; `close` cuts the connection. */
  readonly kind: "slow" | "hang" | "error" | "close";
  /** Whether it goes wrong before the work, which is then not done, or after it: the answer is lost. Default: before. */
  readonly moment?: "before" | "after";
  readonly ms?: number;
  /** How many such requests pass first; default 0. */
  readonly skip?: number;
  /** How many then go wrong; default 1. */
  readonly times?: number;
}

/** Faults on order, for tests. */
export interface Faults {
  /** Orders a fault. */
  add(fault: Fault): void;
  /** Takes all orders back; requests that hang are cut. */
  clear(): void;
}

/** What the server should do instead of answering. */
export type Failure = "error" | "close" | null;

/** The book of ordered faults. */
export class FaultQueue implements Faults {
  #orders: { fault: Fault; pattern: RegExp; skip: number; times: number }[] = [];
  #hanging = new Set<() => void>();

  add(fault: Fault): void {
    const pattern = new RegExp(`^${fault.path.replace(/:[a-z]+/g, "[^/]+")}$`);
    this.#orders.push({ fault, pattern, skip: fault.skip ?? 0, times: fault.times ?? 1 });
  }

  clear(): void {
    this.#orders = [];
    for (const release of this.#hanging) release();
    this.#hanging.clear();
  }

  /** The fault that this request meets, taken off the order. */
  take(method: string, path: string): Fault | undefined {
    for (const order of this.#orders) {
      if (order.times === 0 || order.fault.method !== method || !order.pattern.test(path)) continue;
      if (order.skip > 0) {
        order.skip--;
        continue;
      }
      order.times--;
      return order.fault;
    }
    return undefined;
  }

  /** Lets the fault happen at its moment; tells what is left to do. */
  async apply(fault: Fault | undefined, moment: "before" | "after"): Promise<Failure> {
    if (!fault || (fault.moment ?? "before") !== moment) return null;
    if (fault.kind === "slow") {
      await sleep(fault.ms ?? 10_000, undefined, { ref: false });
      return null;
    }
    if (fault.kind === "hang") {
      await new Promise<void>((resolve) => this.#hanging.add(resolve));
      return "close";
    }
    return fault.kind;
  }
}
