import type { PublishedKey } from "./signed-answer.ts";

/** A conversion, kept until the service has confirmed it. */
export interface UsageEvent {
  /** Licence used for the conversion, which may differ from the current licence. */
  readonly licenceCode: string;
  readonly id: string;
  readonly kind: "conversion";
  readonly atUtc: string;
}

/** State that the add-in stores between runs. */
export interface State {
  readonly licenceCode?: string | undefined;
  /** Secret; on Windows protected by DPAPI. */
  readonly machineToken?: string | undefined;
  /** Newest proof that lets the device run. */
  readonly proof?: string | undefined;
  /** Seat of a concurrent licence, with the proof of the last answer about it. */
  readonly lease?: { readonly id: string; readonly sessionId: string; readonly proof: string } | undefined;
  readonly licenceFile?: string | undefined;
  /** Code of the latest request file, which may differ from the current licence, and the nonce its answer must match. */
  readonly requestCode?: string | undefined;
  readonly requestNonce?: string | undefined;
  readonly keys: readonly PublishedKey[];
  /** Release keys. A real add-in is shipped with them. */
  readonly releaseKeys: readonly PublishedKey[];
  /** Sequence of the last verified update of each stage. */
  readonly updateSequences: Readonly<Record<number, number>>;
  /** Offset of the service's clock from this machine's as of the last answer, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Latest time known to have passed by the service's clock, in milliseconds since 1970. */
  readonly latestTrustedMs: number;
  readonly usage: readonly UsageEvent[];
}

/** State of a machine on which the add-in has never run. */
const emptyState: State = {
  keys: [],
  releaseKeys: [],
  updateSequences: {},
  clockOffsetMs: 0,
  latestTrustedMs: 0,
  usage: [],
};

/** Storage of the state. Writes must survive a crash. */
export interface Store {
  read(): State;
  write(state: State): void;
}

/** Creates a store that survives a restart of the client but not of the process. It keeps text, like a file. */
export function createMemoryStore(): Store {
  let text = JSON.stringify(emptyState);
  return {
    read: () => JSON.parse(text) as State,
    write(state) {
      text = JSON.stringify(state);
    },
  };
}
