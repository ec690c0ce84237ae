import { messageOfResultCode, type ResultCodeName } from "./result-code.ts";
import { defineList, findEntry, findLabel, type ValueOf } from "./closed-list.ts";

/** Kinds of licence events. `done` describes a success. `isChange` sets changes apart from requests of a device. */
export const licenceEventKinds = defineList(
  "LicenceEventKind",
  "The kind of a licence event: a request, or a change of the licence.",
  {
    ACTIVATE: [
      "activate",
      "Device activation",
      "The add-in activated a device, or tried to.",
      { done: "The device was activated." },
    ],
    VALIDATE: [
      "validate",
      "Licence check",
      "The add-in checked the licence.",
      { done: "The licence is valid on this device." },
    ],
    LEASE: ["lease", "Seat request", "The add-in requested a seat.", { done: "A seat was assigned." }],
    HEARTBEAT: ["heartbeat", "Seat heartbeat", "The add-in extended its seat.", { done: "The seat was extended." }],
    RELEASE: ["release", "Seat release", "The add-in released its seat.", { done: "The seat is available again." }],
    USAGE: ["usage", "Usage report", "The add-in reported conversions.", { done: "The conversions were recorded." }],
    DEACTIVATE: [
      "deactivate",
      "Device deactivation",
      "The add-in deactivated a device.",
      { done: "The device was deactivated in the add-in." },
    ],
    OFFLINE: [
      "offline",
      "Licence file request",
      "A licence file for a device without internet was requested.",
      { done: "A licence file for offline use was created." },
    ],
    MOVE: [
      "move",
      "Licence move",
      "The add-in requested a code to move the licence, or the devices that it can replace.",
      { done: "A move to this device was prepared. Nothing has changed yet." },
    ],
    PORTAL_DEACTIVATE: [
      "portal-deactivate",
      "Device deactivation in the portal",
      "A device was deactivated in the portal.",
      { done: "The device was deactivated." },
    ],
    FREE_SEAT: [
      "free-seat",
      "Seat release in the portal",
      "A seat was released in the portal.",
      { done: "The seat is available again." },
    ],
    ISSUE: ["issue", "Licence issued", "The licence was issued.", { done: "The licence was issued.", isChange: true }],
    EXTEND: [
      "extend",
      "Licence extended",
      "The licence got a later expiry date.",
      { done: "The licence expires later than before.", isChange: true },
    ],
    SHORTEN: [
      "shorten",
      "Licence shortened",
      "The licence got an earlier expiry date.",
      { done: "The licence expires earlier than before.", isChange: true },
    ],
    CHANGE: [
      "change",
      "Licence changed",
      "The product level or the use of the licence changed.",
      { done: "The subscription level, seats, devices or use of the licence changed.", isChange: true },
    ],
    SUSPEND: [
      "suspend",
      "Licence suspended",
      "The licence was suspended.",
      { done: "The licence can't be used until the suspension is lifted.", isChange: true },
    ],
    REISSUE: [
      "reissue",
      "Code re-issued",
      "Staff replaced the licence code.",
      { done: "The licence got a new code.", isChange: true },
    ],
    REINSTATE: [
      "reinstate",
      "Licence reinstated",
      "The licence can be used again.",
      { done: "The licence was reinstated.", isChange: true },
    ],
    REVOKE: [
      "revoke",
      "Licence deactivated",
      "The licence was deactivated.",
      { done: "The licence can no longer be used.", isChange: true },
    ],
  },
);

export type LicenceEventKind = ValueOf<typeof licenceEventKinds>;

/** Returns whether an event changed the licence, rather than being a request from a device. */
export function isLicenceChange(kind: string): boolean {
  const entry = findEntry(licenceEventKinds, kind);
  return entry !== undefined && "isChange" in entry;
}

/** Returns a label for a kind of event, or the kind itself if it is unknown. */
export function labelLicenceEvent(kind: string): string {
  return findLabel(licenceEventKinds, kind);
}

/** Returns a sentence that describes the result of an event. */
export function describeLicenceEventResult(kind: string, code: ResultCodeName): string {
  return (code === "VALID" && findEntry(licenceEventKinds, kind)?.done) || messageOfResultCode[code];
}

/** Page on which the reader can take the next step. */
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
  LICENCE_SUSPENDED: {
    text: `If your subscription is paused, resume it. Otherwise: ${contactUs}`,
    place: "subscribe",
  },
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
