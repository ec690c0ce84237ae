import type { AskingDevice } from "./population.ts";

/** One call of the add-in that the product is measured with, beside the same work done by others. */
export interface Contest {
  readonly name: string;
  /** Path of the call. */
  readonly path: string;
  /** Kind of the event that each answer leaves. */
  readonly kind: string;
  /** The statement the product runs, with one parameter: the questions as a jsonb list. */
  readonly statement: string;
  /** Whether a device can ask this successfully. */
  readonly suits: (device: AskingDevice) => boolean;
  /** The body that the add-in of a device sends. */
  readonly body: (device: AskingDevice) => object;
  /** The same question as a row of the statement's list. */
  readonly row: (device: AskingDevice) => object;
}

/** The part of a body that every call has. Its time is the bench's start: answers may warn that the clock is off. */
export function question(device: AskingDevice) {
  const { licenceCode, machine } = device;
  return {
    licenceCode,
    nonce: `bench-nonce-of-device-${device.n}`,
    clientTimeUtc: startedAt.toISOString(),
    addInVersion: "7.2.0",
    hostVersion: "16.0.17328",
    machine,
  };
}

const startedAt = new Date();

/** What the product's own functions need to make a row: a clock, and from where it was asked. */
export const asker = {
  clock: { now: () => new Date() },
  origin: { requestId: "bench", ip: "127.0.0.1", userAgent: "" },
};
