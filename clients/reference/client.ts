import { randomUUID } from "node:crypto";
import {
  type VerifiedAnswer,
  isSameCode,
  sendCall,
  updateState,
  type ClientOptions,
  type NoAnswer,
  type Outcome,
} from "./requests.ts";
import { permitsRunning, type Decision, decideWithoutAnswer, needsSeat, run, stop } from "./decision.ts";
import type { Unanswered } from "./http.ts";
import { installLicenceFile, createRequestFile } from "./offline.ts";
import { beginSignIn, pollSignIn, type SignIn, type SignInProgress } from "./sign-in.ts";
import type { State } from "./store.ts";
import { recordTimePassed, getCurrentTimeMs } from "./trusted-time.ts";
import { checkUpdate, type Update, type UpdateRefusal } from "./update.ts";
import { reportUsage, type UsageReport } from "./usage.ts";

/** Refusals after which this device is not activated on the licence. */
const NO_PLACE = [21, 23];
/** Refusals that concern only a seat. */
const NO_SEAT = [30, 31, 32];
/** Refusals that change nothing, such as a refused deactivation or an unlicensed feature. */
const HARMLESS = [3, 25, 50];
const FEATURE_NOT_LICENSED = 50;

/**
 * The add-in's side of the protocol in docs/addin.md, using only HTTP and the published keys. It is the model for the
 * real add-in, and the client of the scenario tests. Every method may be called at any time and in any state.
 */
export class ReferenceClient {
  readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /**
   * Activates this device on a licence, replacing the device `replaceMachineId` if given. Repeating it changes nothing.
   */
  async activate(licenceCode: string, more: { replaceMachineId?: string } = {}): Promise<Decision> {
    const outcome = await sendCall(this.options, "activate", licenceCode, more);
    if (!outcome.data) {
      const { unanswered, faults } = outcome;
      // An older licence must not permit running on another code.
      const decision = isSameCode(licenceCode, this.#state.licenceCode)
        ? this.#carryOn(unanswered)
        : stop("not-activated", { unanswered });
      return { ...decision, ...(faults ? { faults } : {}) };
    }
    return this.#settle(outcome, licenceCode);
  }

  /**
   * Emails a code to the licence's owner, as the first step of 'Move my licence here' after an activation returned 22.
   */
  moveCode(licenceCode: string): Promise<Outcome> {
    return sendCall(this.options, "move/code", licenceCode);
  }

  /**
   * Returns the licence's devices for an emailed code. To replace one of them, call `activate` with it as
   * `replaceMachineId`.
   */
  movableDevices(licenceCode: string, emailCode: string): Promise<Outcome> {
    return sendCall(this.options, "move/devices", licenceCode, { emailCode });
  }

  /**
   * Starts an activation without a code. Returns the code to show and the page to open, and keeps them only in memory.
   */
  beginSignIn(): Promise<SignIn | NoAnswer> {
    return beginSignIn(this.options);
  }

  /** Polls for the customer's decision. Call it `intervalSeconds` after the newest `signIn`. */
  async pollSignIn(signIn: SignIn): Promise<SignInProgress> {
    const { outcome, ...progress } = await pollSignIn(this.options, signIn);
    if (!outcome) return progress;
    // A refusal names no licence code, so it says nothing about the current licence.
    return { ...progress, decision: this.#settle(outcome, outcome.data.licenceCode ?? "") };
  }

  /**
   * Returns a newer add-in of the stage, or null. Refuses updates that aren't signed, are older than the last one seen, or
   * have expired.
   */
  checkUpdate(stage?: number): Promise<Update | NoAnswer | UpdateRefusal | null> {
    return checkUpdate(this.options, stage);
  }

  /** Decides whether the add-in may run. Call it at every start and once a day. */
  async start(features?: readonly string[]): Promise<Decision> {
    const { licenceCode, machineToken } = this.#state;
    if (!licenceCode || !machineToken) return this.#carryOn();
    const wanted = features ? { features } : {};
    const outcome = await sendCall(this.options, "validate", licenceCode, { machineToken, ...wanted });
    // The feature remains off, but the rest of the add-in may run.
    if (features && outcome.data?.resultCode === FEATURE_NOT_LICENSED) return this.start();
    return this.#follow(outcome);
  }

  /** Returns whether a running add-in should validate again: once a day, or as specified by the last answer. */
  isValidationDue(validateAfterUtc: string): boolean {
    return getCurrentTimeMs(this.#state, this.options.now()) >= Date.parse(validateAfterUtc);
  }

  /** Takes a seat of a concurrent licence, or the same seat again after a crash. Borrows it for `borrowHours`. */
  async lease(options: { sessionId?: string; borrowHours?: number } = {}): Promise<Decision> {
    const { licenceCode, machineToken, lease } = this.#state;
    if (!licenceCode || !machineToken) return this.#carryOn();
    const sessionId = options.sessionId ?? lease?.sessionId ?? randomUUID();
    const { borrowHours } = options;
    const outcome = await sendCall(this.options, "lease", licenceCode, {
      machineToken,
      sessionId,
      ...(borrowHours ? { borrowHours } : {}),
    });
    return this.#follow(outcome, sessionId);
  }

  /** Extends the seat. Call it every `heartbeatIntervalMinutes` of the last answer. */
  async heartbeat(): Promise<Decision> {
    const { licenceCode, machineToken, lease } = this.#state;
    if (!licenceCode || !machineToken) return this.#carryOn();
    if (!lease) return stop("seat-needed");
    const body = { machineToken, leaseId: lease.id };
    return this.#follow(await sendCall(this.options, "heartbeat", licenceCode, body), lease.sessionId);
  }

  /** Releases the seat. The device stops using it whatever the answer; without an answer the seat lapses. */
  async release(): Promise<Outcome | null> {
    const { licenceCode, machineToken, lease } = this.#state;
    if (!licenceCode || !machineToken || !lease) return null;
    updateState(this.options.store, { lease: undefined });
    return sendCall(this.options, "release", licenceCode, { machineToken, leaseId: lease.id });
  }

  /** Stores a conversion and reports all that have not been reported. */
  async reportUsage(conversions = 1): Promise<UsageReport> {
    const { report, outcome } = await reportUsage(this.options, conversions);
    if (outcome?.data) this.#forget(outcome.data.resultCode);
    return report;
  }

  /** Deactivates this device after reporting its usage. */
  async deactivate(reason: string): Promise<Outcome> {
    await this.reportUsage(0);
    const { licenceCode, machineToken } = this.#state;
    if (!licenceCode || !machineToken) return { unanswered: "unknown-token" };
    const outcome = await sendCall(this.options, "deactivate", licenceCode, { machineToken, reason });
    if (outcome.data?.valid) this.#forgetPlace();
    else if (outcome.data) this.#forget(outcome.data.resultCode);
    return outcome;
  }

  /** Returns a request file for the portal, for a machine without a connection. */
  createRequestFile(licenceCode: string): string {
    return createRequestFile(this.options, licenceCode);
  }

  /** Installs the portal's answer to the request file. */
  installLicenceFile(file: string): Decision {
    const refusal = installLicenceFile(this.options, file);
    return refusal ?? this.#carryOn();
  }

  /** Replaces the stored token, as a copied or damaged store would. */
  setMachineToken(machineToken: string): void {
    updateState(this.options.store, { machineToken });
  }

  get #state(): State {
    return this.options.store.read();
  }

  /** Processes the answer to an activation. */
  #settle(outcome: VerifiedAnswer, licenceCode: string): Decision {
    const { machineToken, resultCode } = outcome.data;
    if (!isSameCode(licenceCode, this.#state.licenceCode)) {
      // A refusal of another code says nothing about the current licence.
      if (!machineToken) return stop("refused", { resultCode });
      this.#forgetPlace();
    }
    if (machineToken) updateState(this.options.store, { licenceCode, machineToken });
    return this.#obey(outcome);
  }

  async #follow(outcome: Outcome, sessionId?: string): Promise<Decision> {
    if (outcome.data) return this.#obey(outcome, sessionId);
    const { licenceCode } = this.#state;
    // A repeated activation returns the same device and token. Anyone could send a 401, so keep everything until the
    // service has answered.
    if (outcome.unanswered === "unknown-token" && licenceCode) return this.activate(licenceCode);
    return this.#carryOn(outcome.unanswered);
  }

  #obey({ data, proof }: VerifiedAnswer, sessionId?: string): Decision {
    if (!permitsRunning(data)) {
      this.#forget(data.resultCode);
      return stop("refused", { resultCode: data.resultCode, warnings: data.warnings });
    }
    if (data.lease && sessionId) {
      updateState(this.options.store, { lease: { id: data.lease.id, sessionId, proof } });
      return run("answered", data);
    }
    updateState(this.options.store, { proof });
    if (!needsSeat(data)) return run("answered", data);
    // The licence is valid. Whether this device may run depends on its seat.
    const kept = this.#carryOn();
    const { resultCode, warnings } = data;
    return kept.canRun ? { ...kept, reason: "answered" } : stop("seat-needed", { resultCode, warnings });
  }

  /** Ends the grace period after a refusal, so that unplugging the network doesn't help. */
  #forget(resultCode: number): void {
    if (resultCode === 1 || HARMLESS.includes(resultCode)) return;
    if (NO_SEAT.includes(resultCode)) updateState(this.options.store, { lease: undefined });
    else if (NO_PLACE.includes(resultCode)) this.#forgetPlace();
    else updateState(this.options.store, { proof: undefined, lease: undefined, licenceFile: undefined });
  }

  #forgetPlace(): void {
    updateState(this.options.store, {
      machineToken: undefined,
      proof: undefined,
      lease: undefined,
      licenceFile: undefined,
      requestCode: undefined,
      requestNonce: undefined,
    });
  }

  #carryOn(unanswered?: Unanswered): Decision {
    const { machine, now, store } = this.options;
    const kept = { state: this.#state, fingerprint: machine().fingerprint, machineNow: now() };
    const decision = decideWithoutAnswer(kept, unanswered);
    if (decision.canRun) store.write(recordTimePassed(kept.state, kept.machineNow));
    return decision;
  }
}
