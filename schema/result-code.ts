import { type CodeOf, defineList } from "./closed-list.ts";

/** Result codes of the add-in's protocol and of device deactivation in the portal. The add-in may show their labels. */
export const resultCodes = defineList(
  "ResultCode",
  "The result of a request from the add-in or of a device deactivation.",
  {
    VALID: [1, "The licence is valid on this device.", "The request succeeded."],
    FAILED: [2, "The request could not be carried out.", "The request could not be carried out."],
    DEACTIVATION_LIMIT_EXCEEDED: [
      3,
      "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.",
      "The customer has no deactivations left this year.",
    ],
    LICENCE_NOT_FOUND: [
      10,
      "We do not know this licence code. Please check it against your account page.",
      "No licence has the licence code.",
    ],
    ACCOUNT_INACTIVE: [
      11,
      "The account behind this licence is not active. Please contact support.",
      "The account of the licence is not active.",
    ],
    LICENCE_REVOKED: [
      12,
      "This licence has been deactivated. Please contact support if you did not expect this.",
      "The licence is deactivated. Staff may reinstate it.",
    ],
    LICENCE_SUSPENDED: [
      13,
      "This licence is suspended. Your account page shows why, and what to do.",
      "The licence is suspended until its account is restored, or a dispute or pause ends.",
    ],
    LICENCE_EXPIRED: [
      14,
      "This licence has expired. Please renew it on your account page.",
      "The expiry date of the licence has passed.",
    ],
    MACHINE_BLOCKED: [
      20,
      "This device has been blocked from using the licence. Please contact support.",
      "Staff blocked the machine for this user.",
    ],
    NOT_ACTIVATED: [
      21,
      "This device is not activated on the licence. Please activate it first.",
      "The device is not activated on the licence.",
    ],
    MACHINE_LIMIT_EXCEEDED: [
      22,
      "The licence is already in use on as many devices as it allows. Please free one first.",
      "The licence is activated on as many devices as it allows.",
    ],
    FINGERPRINT_MISMATCH: [
      23,
      "This activation belongs to another device. Please activate this device.",
      "The activation belongs to another device.",
    ],
    VM_NOT_ALLOWED: [
      24,
      "This licence does not allow virtual machines. Please contact support.",
      "The device is a virtual machine, which the licence does not allow.",
    ],
    MACHINE_OFFLINE_LOCKED: [
      25,
      "This device holds an offline licence file and cannot be freed before that file expires.",
      "The device has a licence file for offline use and stays activated until the file expires.",
    ],
    NO_SEATS_AVAILABLE: [
      30,
      "All seats of this licence are in use at the moment. Please try again later.",
      "All seats of the licence are in use.",
    ],
    LEASE_EXPIRED: [
      31,
      "Your seat has lapsed and no other is free at the moment.",
      "The seat was released and no other seat is available.",
    ],
    LEASE_NOT_FOUND: [32, "This seat is not known. Please start again.", "The seat is unknown."],
    TRIAL_ALREADY_USED: [
      40,
      "A trial has already been used on this device.",
      "The device has already been used for a trial.",
    ],
    USAGE_LIMIT_REACHED: [
      41,
      "The trial's conversions are used up. Subscribe to carry on.",
      "The conversions of the trial are used up.",
    ],
    FEATURE_NOT_LICENSED: [
      50,
      "This feature is not part of your subscription level.",
      "The product level does not include the feature.",
    ],
    VERSION_NOT_SUPPORTED: [
      51,
      "This version of the add-in is no longer supported. Please update it.",
      "The version of the add-in is older than the oldest that may run.",
    ],
  },
);
export type ResultCodeName = CodeOf<typeof resultCodes>;

/** Numbers of {@link resultCodes} by code. */
export const ResultCode = Object.fromEntries(resultCodes.map(({ code, value }) => [code, value])) as {
  readonly [Entry in (typeof resultCodes)[number] as Entry["code"]]: Entry["value"];
};

/** Messages of {@link resultCodes} by code. */
export const messageOfResultCode = Object.fromEntries(resultCodes.map(({ code, label }) => [code, label])) as Readonly<
  Record<ResultCodeName, string>
>;

/** Warnings that a successful licence check can include. */
export const licenceWarnings = ["PAYMENT_OVERDUE", "EXPIRING_SOON", "CLOCK_SKEW", "UPDATE_AVAILABLE"] as const;
export type LicenceWarning = (typeof licenceWarnings)[number];
