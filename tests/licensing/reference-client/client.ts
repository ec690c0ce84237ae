import { randomUUID } from "node:crypto";
import { type Answered, ask, change, type ClientOptions, type NoAnswer, type Outcome } from "./asker.ts";
import { allows, type Decision, decideFromKept, needsSeat, run, stop } from "./decision.ts";
import type { Unanswered } from "./http.ts";
import { installLicenceFile, makeRequestFile } from "./offline.ts";
import { beginSignIn, pollSignIn, type SignIn, type SignInProgress } from "./sign-in.ts";
import type { State } from "./store.ts";
import { noteTimePassed, presentMs } from "./trusted-time.ts";
import { checkUpdate, type Update } from "./update.ts";
import { reportUsage, type UsageReport } from "./usage.ts";

/** Refusals after which this machine has no place on the licence. */
const NO_PLACE = [21, 23];
/** Refusals that are about a seat alone. */
const NO_SEAT = [30, 31, 32];
/** Refusals that take nothing away: a deactivation that may not be, a feature that is not licensed. */
const HARMLESS = [3, 25, 50];
const FEATURE_NOT_LICENSED = 50;

/**
 * The add-in's side of the protocol as docs/addin.md tells it, over HTTP and the published keys alone: the model for
 * the real one, and what the scenario table asks. Every method may be called at any time, in any state, by anyone.
 */
export class ReferenceClient {
  readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /** Claims a place on a licence; with `replaceMachineId`, another device's. Repeated, it gives the same again. */
  async activate(licenceCode: string, more: { replaceMachineId?: string } = {}): Promise<Decision> {
    const outcome = await ask(this.options, "activate", licenceCode, more);
    if (!outcome.data) {
      const { unanswered, faults } = outcome;
      return { ...this.#carryOn(unanswered), ...(faults ? { faults } : {}) };
    }
    return this.#settle(outcome, licenceCode);
  }

  /** 'Move my licence here', after an activation was answered 22: has a code mailed to the licence's owner. */
  moveCode(licenceCode: string): Promise<Outcome> {
    return ask(this.options, "move/code", licenceCode);
  }

  /** The licence's devices, for the code from the mail; `activate` with one of them as `replaceMachineId` swaps it. */
  movableDevices(licenceCode: string, emailCode: string): Promise<Outcome> {
    return ask(this.options, "move/devices", licenceCode, { emailCode });
  }

  /** Begins an activation without a code: what to show, and the page to open. Kept in memory alone. */
  beginSignIn(): Promise<SignIn | NoAnswer> {
    return beginSignIn(this.options);
  }

  /** Asks what the customer has answered; after `intervalSeconds` of the newest `signIn`. */
  async pollSignIn(signIn: SignIn): Promise<SignInProgress> {
    const { outcome, ...progress } = await pollSignIn(this.options, signIn);
    if (!outcome) return progress;
    // A refusal names no code: it says nothing about the licence in use.
    return { ...progress, decision: this.#settle(outcome, outcome.data.licenceCode ?? "") };
  }

  /** A newer add-in of the stage, or null. It is for offering: nothing about it is proven but its file, by the checksum. */
  checkUpdate(stage?: number): Promise<Update | NoAnswer | null> {
    return checkUpdate(this.options, stage);
  }

  /** May the add-in run? Asked at every start, and once a day while it runs. */
  async start(features?: readonly string[]): Promise<Decision> {
    const { licenceCode, machineToken } = this.#state;
    if (!licenceCode || !machineToken) return this.#carryOn();
    const wanted = features ? { features } : {};
    const outcome = await ask(this.options, "validate", licenceCode, { machineToken, ...wanted });
    // The feature stays off; the rest may run all the same.
    if (features && outcome.data?.resultCode === FEATURE_NOT_LICENSED) return this.start();
    return this.#follow(outcome);
  }

  /** Whether a running add-in asks again: once a day, or as often as the last answer said. */
  isAskDue(validateAfterUtc: string): boolean {
    return presentMs(this.#state, this.options.now()) >= Date.parse(validateAfterUtc);
  }

  /** Takes a seat of a concurrent licence, or the same again after a crash; borrows it for `borrowHours`. */
  async lease(asked: { sessionId?: string; borrowHours?: number } = {}): Promise<Decision> {
    const { licenceCode, machineToken, lease } = this.#state;
    if (!licenceCode || !machineToken) return this.#carryOn();
    const sessionId = asked.sessionId ?? lease?.sessionId ?? randomUUID();
    const { borrowHours } = asked;
    const outcome = await ask(this.options, "lease", licenceCode, {
      machineToken,
      sessionId,
      ...(borrowHours ? { borrowHours } : {}),
    });
    return this.#follow(outcome, sessionId);
  }

  /** Keeps the seat; every `heartbeatIntervalMinutes` of the last answer. */
  async heartbeat(): Promise<Decision> {
    const { licenceCode, machineToken, lease } = this.#state;
    if (!licenceCode || !machineToken) return this.#carryOn();
    if (!lease) return stop("seat-needed");
    const asked = { machineToken, leaseId: lease.id };
    return this.#follow(await ask(this.options, "heartbeat", licenceCode, asked), lease.sessionId);
  }

  /** Gives the seat back. It is not used any more whatever the answer: without one, it lapses. */
  async release(): Promise<Outcome | null> {
    const { licenceCode, machineToken, lease } = this.#state;
    if (!licenceCode || !machineToken || !lease) return null;
    change(this.options.store, { lease: undefined });
    return ask(this.options, "release", licenceCode, { machineToken, leaseId: lease.id });
  }

  /** Notes a conversion, and reports all that were not reported yet. */
  async reportUsage(conversions = 1): Promise<UsageReport> {
    const { report, outcome } = await reportUsage(this.options, conversions);
    if (outcome?.data) this.#forget(outcome.data.resultCode);
    return report;
  }

  /** Gives the place back, after what was done on it was reported. */
  async deactivate(reason: string): Promise<Outcome> {
    await this.reportUsage(0);
    const { licenceCode, machineToken } = this.#state;
    if (!licenceCode || !machineToken) return { unanswered: "unknown-token" };
    const outcome = await ask(this.options, "deactivate", licenceCode, { machineToken, reason });
    if (outcome.data?.valid) this.#forgetPlace();
    else if (outcome.data) this.#forget(outcome.data.resultCode);
    return outcome;
  }

  /** A file for the portal, from a machine without a connection. */
  makeRequestFile(licenceCode: string): string {
    return makeRequestFile(this.options, licenceCode);
  }

  /** Takes the portal's answer to the request file. */
  installLicenceFile(file: string): Decision {
    const refusal = installLicenceFile(this.options, file);
    return refusal ?? this.#carryOn();
  }

  get #state(): State {
    return this.options.store.read();
  }

  /** An activation's answer. */
  #settle(outcome: Answered, licenceCode: string): Decision {
    const { machineToken, resultCode } = outcome.data;
    if (licenceCode !== this.#state.licenceCode) {
      // Another code that was refused says nothing about the licence in use.
      if (!machineToken) return stop("refused", { resultCode });
      this.#forgetPlace();
    }
    if (machineToken) change(this.options.store, { licenceCode, machineToken });
    return this.#obey(outcome);
  }

  async #follow(outcome: Outcome, sessionId?: string): Promise<Decision> {
    if (outcome.data) return this.#obey(outcome, sessionId);
    const { licenceCode } = this.#state;
    // The same machine gets its place and token again. Anyone can say 401: until the service has answered, all is kept.
    if (outcome.unanswered === "unknown-token" && licenceCode) return this.activate(licenceCode);
    return this.#carryOn(outcome.unanswered);
  }

  #obey({ data, proof }: Answered, sessionId?: string): Decision {
    if (!allows(data)) {
      this.#forget(data.resultCode);
      return stop("refused", { resultCode: data.resultCode, warnings: data.warnings });
    }
    if (data.lease && sessionId) {
      change(this.options.store, { lease: { id: data.lease.id, sessionId, proof } });
      return run("answered", data);
    }
    change(this.options.store, { proof });
    if (!needsSeat(data)) return run("answered", data);
    // The licence is fine; whether this machine may run is a matter of its seat.
    const kept = this.#carryOn();
    const { resultCode, warnings } = data;
    return kept.mayRun ? { ...kept, reason: "answered" } : stop("seat-needed", { resultCode, warnings });
  }

  /** A refusal ends the grace as well: pulling the plug after it must not help. */
  #forget(resultCode: number): void {
    if (resultCode === 1 || HARMLESS.includes(resultCode)) return;
    if (NO_SEAT.includes(resultCode)) change(this.options.store, { lease: undefined });
    else if (NO_PLACE.includes(resultCode)) this.#forgetPlace();
    else change(this.options.store, { proof: undefined, lease: undefined, licenceFile: undefined });
  }

  #forgetPlace(): void {
    change(this.options.store, {
      machineToken: undefined,
      proof: undefined,
      lease: undefined,
      licenceFile: undefined,
      requestNonce: undefined,
    });
  }

  #carryOn(unanswered?: Unanswered): Decision {
    const { machine, now, store } = this.options;
    const kept = { state: this.#state, fingerprint: machine().fingerprint, machineNow: now() };
    const decision = decideFromKept(kept, unanswered);
    if (decision.mayRun) store.write(noteTimePassed(kept.state, kept.machineNow));
    return decision;
  }
}
