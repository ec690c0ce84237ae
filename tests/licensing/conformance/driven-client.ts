import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Decision } from "#clients/reference/decision.ts";
import type { UsageReport } from "#clients/reference/usage.ts";
import type { ClientConditions, ClientUnderTest } from "./client-under-test.ts";

interface DriverAnswer {
  readonly id: number;
  readonly result: unknown;
  readonly waits?: readonly number[];
  readonly threw?: string;
}

/** A process that runs clients: one JSON request a line, one JSON answer a line (clients/README.md). */
export class Driver {
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, (answer: DriverAnswer | Error) => void>();
  #requests = 0;

  constructor([program = "", ...args]: readonly string[]) {
    // Many clients that start together must not starve the server that they call.
    this.#process = spawn("nice", ["-n", "10", program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    const end = (error: Error) => this.#pending.forEach((settle) => settle(error));
    this.#process.on("error", end);
    this.#process.on("exit", () => end(new Error("The driver ended.")));
    createInterface({ input: this.#process.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const answer = JSON.parse(line) as DriverAnswer;
      this.#pending.get(answer.id)?.(answer);
      this.#pending.delete(answer.id);
    });
  }

  /** Sends a request. @throws Error if the client threw, because it never may */
  async send(request: Record<string, unknown>): Promise<DriverAnswer> {
    const id = ++this.#requests;
    const answer = await new Promise<DriverAnswer | Error>((resolve) => {
      this.#pending.set(id, resolve);
      this.#process.stdin?.write(`${JSON.stringify({ ...request, id })}\n`);
    });
    if (answer instanceof Error) throw answer;
    if (answer.threw) throw new Error(answer.threw);
    return answer;
  }

  /** Ends the process as a crash would. */
  kill(): void {
    this.#process.kill("SIGKILL");
  }
}

let clients = 0;

/** A client in a driver's process. A second one with the same folder is another program of the same user. */
export class DrivenClient implements ClientUnderTest {
  constructor(
    readonly driver: Driver,
    readonly conditions: ClientConditions,
    readonly folder = mkdtempSync(join(tmpdir(), "licence-client-")),
    readonly client = `client-${++clients}`,
    readonly shipped: { shippedKeys?: string; shippedReleaseKeys?: string } = {},
  ) {}

  /** Calls the client under the current conditions. */
  async do<Result>(what: string, values: Record<string, unknown> = {}): Promise<Result> {
    const { url, now, machine, timeLimitMs, waits, sandbox } = this.conditions;
    const { client, folder, shipped } = this;
    const conditions = { client, folder, url, sandbox, timeLimitMs, now: now().toISOString(), machine: machine() };
    const answer = await this.driver.send({ do: what, ...conditions, ...shipped, ...values });
    waits.push(...(answer.waits ?? []));
    return answer.result as Result;
  }

  async #decide(what: string, values: Record<string, unknown> = {}): Promise<Decision> {
    const {
      message: _,
      offer: __,
      seat: ___,
      ...decision
    } = await this.do<Decision & Record<string, unknown>>(what, values);
    return decision;
  }

  activate = (licenceCode: string) => this.#decide("activate", { licenceCode });
  start = (features?: readonly string[]) => this.#decide("start", { features });
  lease = (options: { borrowHours?: number } = {}) => this.#decide("lease", options);
  heartbeat = () => this.#decide("heartbeat");
  release = () => this.do("release");
  createRequestFile = (licenceCode: string) => this.do<string>("createRequestFile", { licenceCode });
  installLicenceFile = (file: string) => this.#decide("installLicenceFile", { file });
  setMachineToken = (machineToken: string) => this.do<void>("setMachineToken", { machineToken });

  async reportUsage(conversions: number): Promise<UsageReport> {
    for (let count = 0; count < conversions; count++) await this.do("recordUsage");
    const { reported, waiting, remaining } = await this.do<UsageReport>("reportUsage");
    return { reported, waiting, ...(remaining === undefined ? {} : { remaining }) };
  }
}
