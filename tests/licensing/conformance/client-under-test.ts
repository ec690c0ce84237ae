import { buildMachine } from "#tests/factories/addin.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { ReferenceClient } from "#clients/reference/client.ts";
import type { Decision } from "#clients/reference/decision.ts";
import type { Machine } from "#clients/reference/requests.ts";
import { createMemoryStore } from "#clients/reference/store.ts";
import type { UsageReport } from "#clients/reference/usage.ts";

/** Surroundings of a client: its machine and network. */
export interface ClientConditions {
  readonly url: string;
  /** The machine's clock, which may be wrong. */
  readonly now: () => Date;
  readonly machine: () => Machine;
  readonly timeLimitMs: number;
  /** Receives the delays that the client waits, in milliseconds. */
  readonly waits: number[];
  /** True for a test build, which accepts sandbox codes. */
  readonly sandbox?: boolean;
  /** True for a client that should run in a process of its own, where that is possible. */
  readonly ownProcess?: boolean;
}

/** Builds conditions on a new machine, with the clock of the test app. */
export function buildConditions(app: TestApp, url: string, more: Partial<ClientConditions> = {}): ClientConditions {
  const machine = buildMachine() as Machine;
  return { url, now: () => app.clock.now(), machine: () => machine, timeLimitMs: 10_000, waits: [], ...more };
}

/** A client of the add-in's protocol, as the conformance tests drive it. */
export interface ClientUnderTest {
  activate(licenceCode: string): Promise<Decision>;
  start(features?: readonly string[]): Promise<Decision>;
  lease(options?: { borrowHours?: number }): Promise<Decision>;
  heartbeat(): Promise<Decision>;
  release(): Promise<unknown>;
  reportUsage(conversions: number): Promise<UsageReport>;
  createRequestFile(licenceCode: string): string | Promise<string>;
  installLicenceFile(file: string): Decision | Promise<Decision>;
  /** Replaces the stored token, as a copied or damaged store would. */
  setMachineToken(machineToken: string): void | Promise<void>;
}

/** Connects a client to a machine on which the add-in has never run. */
export type ConnectClient = (conditions: ClientConditions) => ClientUnderTest;

/** Connects the reference client. */
export function connectReferenceClient(conditions: ClientConditions): ReferenceClient {
  return new ReferenceClient({
    url: conditions.url,
    store: createMemoryStore(),
    now: conditions.now,
    machine: conditions.machine,
    sleep: async (ms) => void conditions.waits.push(ms),
    get timeLimitMs() {
      return conditions.timeLimitMs;
    },
    addInVersion: "7.2.0",
    hostVersion: "16.0.17328",
    ...(conditions.sandbox ? { keysPath: "/v1/licence/sandbox/signing-keys" as const } : {}),
  });
}
