import { messageOfResultCode, type ResultCodeName } from "./catalogue.ts";

/** What was asked of a licence, or done to it, in the words of its history. */
const wordsOfKind = {
  activate: { asked: "Asked to activate the device", done: "The device was activated." },
  validate: { asked: "Asked whether it may run", done: "The licence is valid on this device." },
  lease: { asked: "Asked for a seat", done: "A seat was given." },
  heartbeat: { asked: "Asked to keep its seat", done: "The seat was kept." },
  release: { asked: "Gave its seat back", done: "The seat is free again." },
  usage: { asked: "Reported conversions", done: "The conversions were recorded." },
  deactivate: { asked: "Asked to free the device", done: "The device was freed in the add-in." },
  offline: { asked: "Asked for a licence file", done: "A licence file for use without internet was written." },
  move: { asked: "Asked to take another device's place", done: "The place was moved to this device." },
  "portal-deactivate": { asked: "The device was to be freed in the portal", done: "The device was freed." },
  issue: { asked: "Licence issued", done: "The licence began." },
  extend: { asked: "Licence extended", done: "The licence runs longer than before." },
  shorten: { asked: "End of the licence moved", done: "The licence ends earlier than before." },
  change: { asked: "Level changed", done: "The licence has another subscription level." },
  suspend: { asked: "Licence suspended", done: "The licence can't be used until the suspension is lifted." },
  reinstate: { asked: "Suspension lifted", done: "The licence can be used again." },
  revoke: { asked: "Licence deactivated", done: "The licence can't be used any more." },
} as const satisfies Record<string, { asked: string; done: string }>;

/** What a licence event is about. */
export type LicenceEventKind = keyof typeof wordsOfKind;

/** All kinds. */
export const licenceEventKinds = Object.keys(wordsOfKind) as readonly LicenceEventKind[];

/** Kinds that no machine asked for: they change the licence itself. */
const changesOfLicence: readonly LicenceEventKind[] = [
  "issue",
  "extend",
  "shorten",
  "change",
  "suspend",
  "reinstate",
  "revoke",
];

/** Whether an event changed the licence, rather than being a machine's question. */
export function isChangeOfLicence(kind: string): boolean {
  return (changesOfLicence as readonly string[]).includes(kind);
}

/** What was asked, in words; the kind itself for one that the list does not know. */
export function askedInWords(kind: string): string {
  return kind in wordsOfKind ? wordsOfKind[kind as LicenceEventKind].asked : kind;
}

/** The answer in words. */
export function answerInWords(kind: string, code: ResultCodeName): string {
  return code === "VALID" && kind in wordsOfKind
    ? wordsOfKind[kind as LicenceEventKind].done
    : messageOfResultCode[code];
}

/** Where a next step is taken. */
export type NextStepPlace = "devices" | "subscribe" | "contact";

/** What a reader of the history can do about a refusal, and where. */
export interface NextStep {
  readonly words: string;
  readonly place?: NextStepPlace;
}

const askUs = "Contact us and tell us the support code of this licence.";

/** The next step after each answer, for people who plan projects; null where nothing is to be done. */
export const nextStepOfResultCode: Record<ResultCodeName, NextStep | null> = {
  VALID: null,
  FAILED: { words: "Try again. If it fails once more, contact us with the support code.", place: "contact" },
  DEACTIVATION_LIMIT_EXCEEDED: {
    words: `Wait until the yearly number of deactivations allows another. Can't wait? ${askUs}`,
    place: "contact",
  },
  LICENCE_NOT_FOUND: { words: "Copy the licence code from My Account and enter it in the add-in again." },
  ACCOUNT_INACTIVE: { words: askUs, place: "contact" },
  LICENCE_REVOKED: {
    words: "Use the code of another licence, or contact us if you did not expect this.",
    place: "contact",
  },
  LICENCE_SUSPENDED: { words: askUs, place: "contact" },
  LICENCE_EXPIRED: { words: "Subscribe to carry on.", place: "subscribe" },
  MACHINE_BLOCKED: { words: `Use another computer. Should this one be allowed? ${askUs}`, place: "contact" },
  NOT_ACTIVATED: { words: "Open the add-in on that computer and activate it with the licence code." },
  MACHINE_LIMIT_EXCEEDED: { words: "Free a device that you no longer use, then activate again.", place: "devices" },
  FINGERPRINT_MISMATCH: {
    words: "The computer was replaced or rebuilt: free its old entry, then activate it anew.",
    place: "devices",
  },
  VM_NOT_ALLOWED: {
    words: `Use the add-in on a computer of your own. Do you need a virtual one? ${askUs}`,
    place: "contact",
  },
  MACHINE_OFFLINE_LOCKED: {
    words: "Wait until the licence file on that device expires, or contact us.",
    place: "contact",
  },
  NO_SEATS_AVAILABLE: { words: "Ask a colleague to close the add-in, or try again in a few minutes." },
  LEASE_EXPIRED: { words: "Open the add-in again to take a seat as soon as one is free." },
  LEASE_NOT_FOUND: { words: "Close the add-in and open it again." },
  TRIAL_ALREADY_USED: { words: "This computer has had its trial. Subscribe to carry on.", place: "subscribe" },
  USAGE_LIMIT_REACHED: { words: "Subscribe to convert more schedules.", place: "subscribe" },
  FEATURE_NOT_LICENSED: { words: "Change to a level that includes the feature.", place: "subscribe" },
  VERSION_NOT_SUPPORTED: { words: "Download the present version of the add-in from My Account and install it." },
};
