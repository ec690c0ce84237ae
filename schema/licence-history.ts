import { messageOfResultCode, type ResultCodeName } from "./catalogue.ts";

/** Texts for each kind of licence event. */
const textsByKind = {
  activate: { asked: "Device activation", done: "The device was activated." },
  validate: { asked: "Licence check", done: "The licence is valid on this device." },
  lease: { asked: "Seat request", done: "A seat was assigned." },
  heartbeat: { asked: "Seat heartbeat", done: "The seat was extended." },
  release: { asked: "Seat release", done: "The seat is available again." },
  usage: { asked: "Usage report", done: "The conversions were recorded." },
  deactivate: { asked: "Device deactivation", done: "The device was deactivated in the add-in." },
  offline: { asked: "Licence file request", done: "A licence file for offline use was created." },
  move: { asked: "Licence move", done: "The licence was moved to this device." },
  "portal-deactivate": { asked: "Device deactivation in the portal", done: "The device was deactivated." },
  "free-seat": { asked: "Seat release in the portal", done: "The seat is available again." },
  issue: { asked: "Licence issued", done: "The licence was issued." },
  extend: { asked: "Licence extended", done: "The licence expires later than before." },
  shorten: { asked: "Licence shortened", done: "The licence expires earlier than before." },
  change: { asked: "Level changed", done: "The subscription level was changed." },
  suspend: { asked: "Licence suspended", done: "The licence can't be used until the suspension is lifted." },
  reinstate: { asked: "Suspension lifted", done: "The licence can be used again." },
  revoke: { asked: "Licence deactivated", done: "The licence can no longer be used." },
} as const satisfies Record<string, { asked: string; done: string }>;

/** Kind of a licence event. */
export type LicenceEventKind = keyof typeof textsByKind;

export const licenceEventKinds = Object.keys(textsByKind) as readonly LicenceEventKind[];

/** Kinds of events that change the licence. All others are requests from a device. */
const changesOfLicence: readonly LicenceEventKind[] = [
  "issue",
  "extend",
  "shorten",
  "change",
  "suspend",
  "reinstate",
  "revoke",
];

/** Returns whether an event changed the licence, rather than being a request from a device. */
export function isLicenceChange(kind: string): boolean {
  return (changesOfLicence as readonly string[]).includes(kind);
}

/** Returns a label for a kind of event, or the kind itself if it is unknown. */
export function labelLicenceEvent(kind: string): string {
  return kind in textsByKind ? textsByKind[kind as LicenceEventKind].asked : kind;
}

/** Returns a sentence that describes the result of an event. */
export function describeLicenceEventResult(kind: string, code: ResultCodeName): string {
  return code === "VALID" && kind in textsByKind
    ? textsByKind[kind as LicenceEventKind].done
    : messageOfResultCode[code];
}

/** Page on which a next step is taken. */
export type NextStepPlace = "devices" | "subscribe" | "contact";

/** Action that a reader of the history can take after a refusal. */
export interface NextStep {
  readonly text: string;
  readonly place?: NextStepPlace;
}

const contactUs = "Contact us with the support code of this licence.";

/** Next step for customers after each result; null if none is needed. */
export const nextStepByResultCode: Record<ResultCodeName, NextStep | null> = {
  VALID: null,
  FAILED: { text: "Try again. If it fails again, contact us with the support code.", place: "contact" },
  DEACTIVATION_LIMIT_EXCEEDED: {
    text: `Wait until your annual deactivation limit allows another deactivation. If you can't wait: ${contactUs}`,
    place: "contact",
  },
  LICENCE_NOT_FOUND: { text: "Copy the licence code from My Account and enter it in the add-in again." },
  ACCOUNT_INACTIVE: { text: contactUs, place: "contact" },
  LICENCE_REVOKED: {
    text: "Use the code of another licence. If you didn't expect this, contact us.",
    place: "contact",
  },
  LICENCE_SUSPENDED: { text: contactUs, place: "contact" },
  LICENCE_EXPIRED: { text: "Subscribe to continue.", place: "subscribe" },
  MACHINE_BLOCKED: { text: `Use another computer. If this one should be allowed: ${contactUs}`, place: "contact" },
  NOT_ACTIVATED: { text: "Open the add-in on that computer and activate it with the licence code." },
  MACHINE_LIMIT_EXCEEDED: {
    text: "Deactivate a device that you no longer use, then activate this one again.",
    place: "devices",
  },
  FINGERPRINT_MISMATCH: {
    text: "The computer was replaced or rebuilt. Deactivate its old entry, then activate it again.",
    place: "devices",
  },
  VM_NOT_ALLOWED: {
    text: `Use the add-in on a physical computer. If you need a virtual machine: ${contactUs}`,
    place: "contact",
  },
  MACHINE_OFFLINE_LOCKED: {
    text: "Wait until the licence file on that device expires, or contact us.",
    place: "contact",
  },
  NO_SEATS_AVAILABLE: { text: "Ask a colleague to close the add-in, or try again in a few minutes." },
  LEASE_EXPIRED: { text: "Open the add-in again to take a seat as soon as one is available." },
  LEASE_NOT_FOUND: { text: "Close the add-in and open it again." },
  TRIAL_ALREADY_USED: {
    text: "The trial on this computer has already been used. Subscribe to continue.",
    place: "subscribe",
  },
  USAGE_LIMIT_REACHED: { text: "Subscribe to convert more schedules.", place: "subscribe" },
  FEATURE_NOT_LICENSED: { text: "Change to a subscription level that includes this feature.", place: "subscribe" },
  VERSION_NOT_SUPPORTED: { text: "Download the current version of the add-in from My Account and install it." },
};
