import type { PublishedKey } from "./signed-answer.ts";

/** One conversion, to be reported until the service has answered. */
export interface UsageEvent {
  /** The licence it was done on, which need not be the present one. */
  readonly licenceCode: string;
  readonly id: string;
  readonly kind: "conversion";
  readonly atUtc: string;
}

/** What the add-in remembers between two runs. */
export interface State {
  readonly licenceCode?: string | undefined;
  /** A secret: on Windows under DPAPI. */
  readonly machineToken?: string | undefined;
  /** The newest proof that lets the machine run. */
  readonly proof?: string | undefined;
  /** The seat of a concurrent licence, with the proof of the answer that gave or kept it. */
  readonly lease?: { readonly id: string; readonly sessionId: string; readonly proof: string } | undefined;
  /** The licence file that was carried here, and the nonce of the request it must answer. */
  readonly licenceFile?: string | undefined;
  readonly requestNonce?: string | undefined;
  readonly keys: readonly PublishedKey[];
  /** By how much the service's clock is ahead of this machine's, as of its last answer; milliseconds. */
  readonly clockOffsetMs: number;
  /** The latest moment that is known to have passed, by the service's clock; milliseconds since 1970. */
  readonly latestTrustedMs: number;
  readonly usage: readonly UsageEvent[];
}

/** A machine on which the add-in has never run. */
export const emptyState: State = { keys: [], clockOffsetMs: 0, latestTrustedMs: 0, usage: [] };

/** Where the state is kept. What was written is there after a crash. */
export interface Store {
  read(): State;
  write(state: State): void;
}

/** A store that outlives the client and not the process; keeps text, as a file would. */
export function createMemoryStore(): Store {
  let text = JSON.stringify(emptyState);
  return {
    read: () => JSON.parse(text) as State,
    write(state) {
      text = JSON.stringify(state);
    },
  };
}
