import { array, boolean, type InferType, mixed, number, object, string } from "yup";
import { cleanText } from "./clean-text.ts";
import { deactivationReason } from "./device.ts";
import { licenceBounds } from "./licence-types.ts";
import { moment } from "./moment.ts";
import { features } from "./product-level.ts";
import { keyLine, line, mapText, numberLine, parseJson, uuid } from "./text.ts";

/** Maximum size of a request file, in bytes of UTF-8. Files from the add-in are about 1 kB. */
export const REQUEST_FILE_MAX_BYTES = 50_000;

export const REQUEST_FILE_TOO_LARGE =
  "The request file is larger than 50 kB. Please choose the file that the add-in saved.";

export const REQUEST_FILE_DAMAGED = "This is not a request file, or it is damaged. Please save it again in the add-in.";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Result of reading a request file: its unvalidated values, or a message that explains why it isn't a request file. */
type ParsedRequestFile = { values: Record<string, unknown> } | { fault: string };

/**
 * Parses a request file: JSON, or JSON in base64 or base64url, with or without line breaks, a byte order mark and
 * surrounding whitespace. The portal uses it for the preview, and the API for the activation.
 */
export function parseRequestFile(text: string): ParsedRequestFile {
  const cleaned = cleanText(text).trim();
  if (cleaned.includes("BEGIN LICENCE FILE"))
    return { fault: "This is a licence file. Please choose the request file that the add-in saved." };
  // The nonce is compared with the one in the licence file, so the JSON is read as it was sent.
  const json = cleaned.startsWith("{") ? text.trim() : decodeBase64(cleaned);
  const values = json === null ? null : (parseJson(json) ?? parseJson(cleanText(json)));
  return isRecord(values) ? { values } : { fault: REQUEST_FILE_DAMAGED };
}

/**
 * Decodes the bytes of a text file: UTF-8, or UTF-16 with a byte order mark, as some Windows editors save it. Returns null
 * if the bytes aren't valid text.
 */
export function decodeTextFile(bytes: Uint8Array): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeBase64(text: string): string | null {
  const compact = text.replace(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return null;
  try {
    return decodeTextFile(Uint8Array.from(atob(compact), (character) => character.charCodeAt(0)))?.trim() ?? null;
  } catch {
    return null;
  }
}

/** Names and hashes of hardware components that identify a device (docs/domain.md#device-identity). */
const components = mixed<Record<string, string>>()
  // As for fields, null counts as missing. Some programs report it for hardware without a serial number.
  .transform((value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null)) : value,
  )
  .test("components", "Must be an object of text values.", (value: unknown) => {
    if (value === undefined || value === null) return true;
    if (!isRecord(value)) return false;
    return Object.entries(value).every(
      ([name, part]) => typeof part === "string" && !/[\0\p{Cs}]/u.test(`${name} ${part}`),
    );
  })
  .test(
    "size",
    "May have at most 32 values, of at most 200 characters, with names of at most 60.",
    (value: unknown) => {
      const entries = isRecord(value) ? Object.entries(value) : [];
      return entries.length <= 32 && entries.every(([name, part]) => name.length <= 60 && String(part).length <= 200);
    },
  )
  .meta({ jsonSchema: { type: "object", additionalProperties: { type: "string", maxLength: 200 } } });

/** Description of the device, with the field names that the add-in sends. */
const machineRules = object({
  machineName: line(200).required("Machine name is required."),
  fingerprint: line(200).required("Fingerprint is required.").min(8, "Fingerprint is too short."),
  components,
  osUser: line(200),
  isVm: boolean().strict().typeError("Must be true or false.").required("isVm is required."),
})
  .typeError("Must be an object.")
  .required("Machine is required.")
  .meta({ jsonSchema: { title: "MachineOfRequest" } });

/** Never stored. Not cleaned, because the add-in compares it with the one in the proof. */
const nonce = string()
  .strict()
  .typeError("Must be text.")
  .max(200, "Must be at most 200 characters.")
  .required("Nonce is required.")
  .min(8, "Nonce must have at least 8 characters.");

/** Fields in the body of every request from the add-in. */
export const addinRules = object({
  licenceCode: line(100).required("Licence code is required."),
  nonce,
  clientTimeUtc: moment("Client time is required."),
  addInVersion: line(50).required("Add-in version is required."),
  hostVersion: line(100).required("Host version is required."),
  machine: machineRules,
});
export type AddinValues = InferType<typeof addinRules>;
/** The same fields with an optional licence code. */
export type MachineRequest = Omit<AddinValues, "licenceCode"> & { readonly licenceCode?: string };

const machineToken = line(200).required("Machine token is required.");

/** `POST /v1/licence/activate` */
export const activateRules = addinRules.shape({ replaceMachineId: uuid("Must be a machine id.") });
export type ActivateValues = InferType<typeof activateRules>;

/** `POST /v1/licence/validate` */
export const validateRules = addinRules.shape({
  machineToken,
  features: array()
    .of(string().oneOf(features, "Unknown feature.").required("Unknown feature."))
    .max(20)
    .typeError("Must be a list of features."),
});
export type ValidateValues = InferType<typeof validateRules>;

/** `POST /v1/licence/deactivate` */
export const deactivateByAddinRules = addinRules.shape({ machineToken, reason: deactivationReason() });
export type DeactivateByAddinValues = InferType<typeof deactivateByAddinRules>;

/** Hours for which a seat can be borrowed. A licence may allow less. */
const { min: minBorrowHours, max: maxBorrowHours } = licenceBounds.leaseHours;

/** `POST /v1/licence/lease` */
export const leaseRules = addinRules.shape({
  machineToken,
  sessionId: line(100).required("Session id is required."),
  borrowHours: number()
    .strict()
    .typeError("Must be a number of hours.")
    .integer("Must be a whole number of hours.")
    .min(minBorrowHours, `Must be at least ${minBorrowHours} hour.`)
    .max(maxBorrowHours, `Must be at most ${maxBorrowHours} hours.`),
});
export type LeaseValues = InferType<typeof leaseRules>;

/** `POST /v1/licence/heartbeat` and `POST /v1/licence/release` */
export const heartbeatRules = addinRules.shape({
  machineToken,
  leaseId: uuid("Must be a lease id.").required("Lease id is required."),
});
export type HeartbeatValues = InferType<typeof heartbeatRules>;

/** Maximum number of events in a usage report. */
const maxUsageEvents = 500;

/** `POST /v1/licence/usage` */
export const usageRules = addinRules.shape({
  machineToken,
  events: array()
    .of(
      object({
        id: line(100).required("Event id is required."),
        kind: string()
          .oneOf(["conversion"] as const, "Unknown kind of event.")
          .required("Kind is required."),
        atUtc: moment("Time is required."),
      })
        .typeError("Must be an object.")
        .nonNullable("Must be an object.")
        .meta({ jsonSchema: { title: "UsageEvent" } }),
    )
    .min(1, "There must be at least one event.")
    .max(maxUsageEvents, `There may be at most ${maxUsageEvents} events at a time.`)
    .typeError("Must be a list of events.")
    .required("Events are required."),
});
export type UsageValues = InferType<typeof usageRules>;

/**
 * `POST /v1/licence/offline` and the portal's form. Accepts the text of a request file, either unchanged or in base64
 * (docs/domain.md#licence-file).
 */
export const offlineActivationRules = object({
  requestFile: string()
    .transform(mapText((value) => value.trim()))
    .typeError("Must be text.")
    .max(REQUEST_FILE_MAX_BYTES, REQUEST_FILE_TOO_LARGE)
    .required("Please choose or paste the request file.")
    .test("request-file", function requestFile(text) {
      if (!text || text.length > REQUEST_FILE_MAX_BYTES) return true;
      const bytes = new TextEncoder().encode(text).length;
      if (bytes > REQUEST_FILE_MAX_BYTES) return this.createError({ message: REQUEST_FILE_TOO_LARGE });
      const read = parseRequestFile(text);
      return "fault" in read ? this.createError({ message: read.fault }) : true;
    }),
});
export type OfflineActivationValues = InferType<typeof offlineActivationRules>;

/** `POST /v1/licence/move/devices` */
export const moveDevicesRules = addinRules.shape({
  emailCode: numberLine(40).required("Please enter the code from the email."),
});
export type MoveDevicesValues = InferType<typeof moveDevicesRules>;

/** Body of `POST /v1/licence/device-authorization`: the common fields of the add-in's requests without a licence code. */
export const deviceAuthorizationRules = addinRules.omit(["licenceCode"]).shape({
  clientId: string()
    .typeError("Must be text.")
    .required("Client id is required.")
    .oneOf(["addin"] as const, "Client id is not known."),
});
export type DeviceAuthorizationValues = InferType<typeof deviceAuthorizationRules>;

/** Body of `POST /v1/licence/device-authorization/token`. */
export const pollDeviceAuthorizationRules = addinRules.omit(["licenceCode"]).shape({
  device_code: line(200).required("Device code is required."),
});
export type PollDeviceAuthorizationValues = InferType<typeof pollDeviceAuthorizationRules>;

/** Rules for the code from the add-in, as the customer types it. */
export const userCodeRules = object({ userCode: keyLine(40).required("Code is required.") });
export type UserCodeValues = InferType<typeof userCodeRules>;

/**
 * Rules for the customer's confirmation: the licence and, if it has reached its device limit, the device to replace.
 */
export const confirmDeviceAuthorizationRules = userCodeRules.shape({
  licenceId: line(100).required("Please choose a licence."),
  replaceDeviceId: line(100),
});
export type ConfirmDeviceAuthorizationValues = InferType<typeof confirmDeviceAuthorizationRules>;

/**
 * Rules for the confirmation form. For a device on another network, the customer also confirms that the device is
 * theirs.
 */
export const confirmDeviceAuthorizationFormRules = confirmDeviceAuthorizationRules.omit(["userCode"]).shape({
  isSameNetwork: boolean().required(),
  startedHere: boolean().when("isSameNetwork", {
    is: false,
    then: (rule) => rule.oneOf([true], "Please confirm that you started this yourself."),
  }),
});
