import type { LicenceWarning, ResultCodeName } from "./catalogue.ts";

/**
 * What every sandbox licence code begins with, as codes are written. Nobody is ever issued such a code (decision 0054).
 */
export const sandboxPrefix = "SANDB-00";

/** A question of the add-in's protocol; `move` is both of its calls. */
export type SandboxCall =
  | "activate"
  | "validate"
  | "lease"
  | "heartbeat"
  | "release"
  | "usage"
  | "deactivate"
  | "move"
  | "offline";

/** What the licence behind a sandbox code is like. */
export type SandboxLicence = "paid" | "standard" | "trial" | "perpetual" | "concurrent" | "floating";

/** One sandbox code: what it answers, and where. */
export interface SandboxCode {
  readonly licenceCode: string;
  /** The result its calls of {@link callsOfSandboxResult} have; the others answer as on a licence that is fine. */
  readonly result: ResultCodeName;
  readonly licence: SandboxLicence;
  readonly warnings: readonly LicenceWarning[];
  /** The machine is activated first, and refused from then on: revoked, expired … while it was in use. */
  readonly afterActivation: boolean;
  /** No answer at all but this status. */
  readonly status?: 429 | 503;
}

const everything = [
  "activate",
  "validate",
  "lease",
  "heartbeat",
  "release",
  "usage",
  "deactivate",
  "move",
  "offline",
] as const;
const standing = ["activate", "validate", "lease", "heartbeat", "usage", "move", "offline"] as const;
const known = ["validate", "lease", "heartbeat", "release", "usage", "deactivate"] as const;

/**
 * The calls that can have each result, as in the protocol itself: what a machine may be told once it is known cannot be
 * the answer to its activation, and the other way round.
 */
export const callsOfSandboxResult: Record<ResultCodeName, readonly SandboxCall[]> = {
  VALID: everything,
  FAILED: everything,
  DEACTIVATION_LIMIT_EXCEEDED: ["deactivate"],
  LICENCE_NOT_FOUND: everything,
  ACCOUNT_INACTIVE: [...standing, "deactivate"],
  LICENCE_REVOKED: standing,
  LICENCE_SUSPENDED: standing,
  LICENCE_EXPIRED: standing,
  MACHINE_BLOCKED: standing,
  NOT_ACTIVATED: known,
  MACHINE_LIMIT_EXCEEDED: ["activate", "offline"],
  FINGERPRINT_MISMATCH: known,
  VM_NOT_ALLOWED: standing,
  MACHINE_OFFLINE_LOCKED: ["deactivate"],
  NO_SEATS_AVAILABLE: ["lease"],
  LEASE_EXPIRED: ["heartbeat"],
  LEASE_NOT_FOUND: ["heartbeat", "release"],
  TRIAL_ALREADY_USED: ["activate", "offline"],
  USAGE_LIMIT_REACHED: ["activate", "validate", "lease", "heartbeat", "usage", "offline"],
  FEATURE_NOT_LICENSED: [],
  VERSION_NOT_SUPPORTED: ["activate", "validate", "lease", "heartbeat", "offline"],
};

const code = (licenceCode: string, result: ResultCodeName, more: Partial<SandboxCode> = {}): SandboxCode => ({
  licenceCode,
  result,
  licence: "paid",
  warnings: [],
  afterActivation: false,
  ...more,
});

const later = { afterActivation: true };

/**
 * Every sandbox code. The second group is the result code (or the status), the third tells its variants apart, the last
 * character is the checksum.
 */
export const sandboxCodes: readonly SandboxCode[] = [
  code("SANDB-00001-00000-00000-00000-0000R", "VALID"),
  code("SANDB-00001-00001-00000-00000-00007", "VALID", { licence: "trial" }),
  code("SANDB-00001-00002-00000-00000-00003", "VALID", { licence: "concurrent" }),
  code("SANDB-00001-00003-00000-00000-0000W", "VALID", { licence: "perpetual" }),
  code("SANDB-00001-00004-00000-00000-0000B", "VALID", { licence: "floating" }),
  code("SANDB-00001-00011-00000-00000-0000W", "VALID", { warnings: ["PAYMENT_OVERDUE"] }),
  code("SANDB-00001-00012-00000-00000-0000R", "VALID", { warnings: ["EXPIRING_SOON"] }),
  code("SANDB-00001-00013-00000-00000-00007", "VALID", { warnings: ["CLOCK_SKEW"] }),
  code("SANDB-00001-00014-00000-00000-0000G", "VALID", { warnings: ["UPDATE_AVAILABLE"] }),
  code("SANDB-00001-00015-00000-00000-0000F", "VALID", {
    warnings: ["PAYMENT_OVERDUE", "EXPIRING_SOON", "CLOCK_SKEW", "UPDATE_AVAILABLE"],
  }),
  code("SANDB-00002-00000-00000-00000-0000C", "FAILED"),
  code("SANDB-00003-00000-00000-00000-00000", "DEACTIVATION_LIMIT_EXCEEDED"),
  code("SANDB-00010-00000-00000-00000-0000C", "LICENCE_NOT_FOUND"),
  code("SANDB-00011-00000-00000-00000-00000", "ACCOUNT_INACTIVE"),
  code("SANDB-00011-00001-00000-00000-0000Z", "ACCOUNT_INACTIVE", later),
  code("SANDB-00012-00000-00000-00000-0000M", "LICENCE_REVOKED"),
  code("SANDB-00012-00001-00000-00000-0000B", "LICENCE_REVOKED", later),
  code("SANDB-00013-00000-00000-00000-0000R", "LICENCE_SUSPENDED"),
  code("SANDB-00013-00001-00000-00000-00007", "LICENCE_SUSPENDED", later),
  code("SANDB-00014-00000-00000-00000-0000S", "LICENCE_EXPIRED"),
  code("SANDB-00014-00001-00000-00000-00006", "LICENCE_EXPIRED", later),
  code("SANDB-00020-00000-00000-00000-00001", "MACHINE_BLOCKED"),
  code("SANDB-00020-00001-00000-00000-0000Y", "MACHINE_BLOCKED", later),
  code("SANDB-00021-00000-00000-00000-0000D", "NOT_ACTIVATED"),
  code("SANDB-00022-00000-00000-00000-0000S", "MACHINE_LIMIT_EXCEEDED"),
  code("SANDB-00023-00000-00000-00000-0000N", "FINGERPRINT_MISMATCH"),
  code("SANDB-00024-00000-00000-00000-0000M", "VM_NOT_ALLOWED"),
  code("SANDB-00024-00001-00000-00000-0000B", "VM_NOT_ALLOWED", later),
  code("SANDB-00025-00000-00000-00000-0000R", "MACHINE_OFFLINE_LOCKED"),
  code("SANDB-00030-00000-00000-00000-0000S", "NO_SEATS_AVAILABLE", { licence: "concurrent" }),
  code("SANDB-00031-00000-00000-00000-0000N", "LEASE_EXPIRED", { licence: "concurrent" }),
  code("SANDB-00032-00000-00000-00000-00001", "LEASE_NOT_FOUND", { licence: "concurrent" }),
  code("SANDB-00040-00000-00000-00000-0000V", "TRIAL_ALREADY_USED", { licence: "trial" }),
  code("SANDB-00041-00000-00000-00000-0000Q", "USAGE_LIMIT_REACHED", { licence: "trial" }),
  code("SANDB-00041-00001-00000-00000-00008", "USAGE_LIMIT_REACHED", { licence: "trial", ...later }),
  code("SANDB-00050-00000-00000-00000-00003", "FEATURE_NOT_LICENSED", { licence: "standard" }),
  code("SANDB-00051-00000-00000-00000-0000F", "VERSION_NOT_SUPPORTED"),
  code("SANDB-00051-00001-00000-00000-0000G", "VERSION_NOT_SUPPORTED", later),
  code("SANDB-00429-00000-00000-00000-0000W", "VALID", { status: 429 }),
  code("SANDB-00503-00000-00000-00000-0000B", "VALID", { status: 503 }),
];

/** What `device_code` a poll may carry instead of a given one, for each refusal of RFC 8628; a sandbox code activates. */
export const sandboxDeviceCodes = [
  "sandbox-authorization_pending",
  "sandbox-slow_down",
  "sandbox-access_denied",
  "sandbox-expired_token",
  "sandbox-invalid_grant",
] as const;

/** The code from the mail of a move of a sandbox licence; no mail is sent. */
export const sandboxEmailCode = "000 000";
