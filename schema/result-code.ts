import { type CodeOf, defineList } from "./closed-list.ts";

/** Result codes of the add-in's protocol and of device deactivation in the portal. The add-in may show their labels. */
export const resultCodes = defineList(
  "ResultCode",
  "The result of a request from the add-in or of a device deactivation.",
  [
    { code: "VALID", value: 1, label: "The licence is valid on this device.", description: "The request succeeded." },
    {
      code: "FAILED",
      value: 2,
      label: "The request could not be carried out.",
      description: "The request could not be carried out.",
    },
    {
      code: "DEACTIVATION_LIMIT_EXCEEDED",
      value: 3,
      label:
        "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.",
      description: "The customer has no deactivations left this year.",
    },
    {
      code: "LICENCE_NOT_FOUND",
      value: 10,
      label: "We do not know this licence code. Please check it against your account page.",
      description: "No licence has the licence code.",
    },
    {
      code: "ACCOUNT_INACTIVE",
      value: 11,
      label: "The account behind this licence is not active. Please contact support.",
      description: "The account of the licence is not active.",
    },
    {
      code: "LICENCE_REVOKED",
      value: 12,
      label: "This licence has been deactivated. Please contact support if you did not expect this.",
      description: "The licence is deactivated for good.",
    },
    {
      code: "LICENCE_SUSPENDED",
      value: 13,
      label: "This licence is suspended. Please contact support.",
      description: "The licence is suspended until staff or a payment lifts it.",
    },
    {
      code: "LICENCE_EXPIRED",
      value: 14,
      label: "This licence has expired. Please renew it on your account page.",
      description: "The expiry date of the licence has passed.",
    },
    {
      code: "MACHINE_BLOCKED",
      value: 20,
      label: "This device has been blocked from using the licence. Please contact support.",
      description: "Staff blocked the machine for this user.",
    },
    {
      code: "NOT_ACTIVATED",
      value: 21,
      label: "This device is not activated on the licence. Please activate it first.",
      description: "The device is not activated on the licence.",
    },
    {
      code: "MACHINE_LIMIT_EXCEEDED",
      value: 22,
      label: "The licence is already in use on as many devices as it allows. Please free one first.",
      description: "The licence is activated on as many devices as it allows.",
    },
    {
      code: "FINGERPRINT_MISMATCH",
      value: 23,
      label: "This activation belongs to another device. Please activate this device.",
      description: "The activation belongs to another device.",
    },
    {
      code: "VM_NOT_ALLOWED",
      value: 24,
      label: "This licence does not allow virtual machines. Please contact support.",
      description: "The device is a virtual machine, which the licence does not allow.",
    },
    {
      code: "MACHINE_OFFLINE_LOCKED",
      value: 25,
      label: "This device holds an offline licence file and cannot be freed before that file expires.",
      description: "The device has a licence file for offline use and stays activated until the file expires.",
    },
    {
      code: "NO_SEATS_AVAILABLE",
      value: 30,
      label: "All seats of this licence are in use at the moment. Please try again later.",
      description: "All seats of the licence are in use.",
    },
    {
      code: "LEASE_EXPIRED",
      value: 31,
      label: "Your seat has lapsed and no other is free at the moment.",
      description: "The seat was released and no other seat is available.",
    },
    {
      code: "LEASE_NOT_FOUND",
      value: 32,
      label: "This seat is not known. Please start again.",
      description: "The seat is unknown.",
    },
    {
      code: "TRIAL_ALREADY_USED",
      value: 40,
      label: "A trial has already been used on this device.",
      description: "The device has already been used for a trial.",
    },
    {
      code: "USAGE_LIMIT_REACHED",
      value: 41,
      label: "The trial's conversions are used up. Subscribe to carry on.",
      description: "The conversions of the trial are used up.",
    },
    {
      code: "FEATURE_NOT_LICENSED",
      value: 50,
      label: "This feature is not part of your subscription level.",
      description: "The product level does not include the feature.",
    },
    {
      code: "VERSION_NOT_SUPPORTED",
      value: 51,
      label: "This version of the add-in is no longer supported. Please update it.",
      description: "The version of the add-in is older than the oldest that may run.",
    },
  ] as const,
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
