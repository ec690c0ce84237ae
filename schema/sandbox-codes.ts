import type { LicenceWarning, ResultCodeName } from "./result-code.ts";

/** Prefix of every sandbox licence code. No customer is ever issued such a code (decision 0054). */
export const sandboxPrefix = "SANDB-00";

/** A call in the add-in's protocol. `move` refers to both calls that move a licence. */
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

/** Kind of licence that a sandbox code simulates. */
export type SandboxLicence = "paid" | "standard" | "trial" | "perpetual" | "concurrent" | "floating";

/** A sandbox code and the answers it gives. */
export interface SandboxCode {
  readonly licenceCode: string;
  /** Result of the calls in {@link callsBySandboxResult}. Other calls respond as for a licence in good standing. */
  readonly result: ResultCodeName;
  readonly licence: SandboxLicence;
  readonly warnings: readonly LicenceWarning[];
  /**
   * True if the device is activated first and refused later, for example because the licence is revoked or expires
   * during use.
   */
  readonly afterActivation: boolean;
  /** HTTP status returned instead of an answer. */
  readonly status?: 429 | 503;
}

const allCalls = [
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
const callsCheckingLicence = ["activate", "validate", "lease", "heartbeat", "usage", "move", "offline"] as const;
const callsOfActivatedDevice = ["validate", "lease", "heartbeat", "release", "usage", "deactivate"] as const;

/**
 * Calls that can return each result, as in the protocol itself. For example, an activation never returns a result that
 * only an activated device can get.
 */
export const callsBySandboxResult: Record<ResultCodeName, readonly SandboxCall[]> = {
  VALID: allCalls,
  FAILED: allCalls,
  DEACTIVATION_LIMIT_EXCEEDED: ["deactivate"],
  LICENCE_NOT_FOUND: allCalls,
  ACCOUNT_INACTIVE: [...callsCheckingLicence, "deactivate"],
  LICENCE_REVOKED: callsCheckingLicence,
  LICENCE_SUSPENDED: callsCheckingLicence,
  LICENCE_EXPIRED: callsCheckingLicence,
  MACHINE_BLOCKED: callsCheckingLicence,
  NOT_ACTIVATED: callsOfActivatedDevice,
  MACHINE_LIMIT_EXCEEDED: ["activate", "offline"],
  FINGERPRINT_MISMATCH: callsOfActivatedDevice,
  VM_NOT_ALLOWED: callsCheckingLicence,
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

const refusedAfterActivation = { afterActivation: true };

/**
 * Every sandbox code. The second group is the result code or the HTTP status, the third distinguishes variants, and the
 * last character is the checksum.
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
  code("SANDB-00011-00001-00000-00000-0000Z", "ACCOUNT_INACTIVE", refusedAfterActivation),
  code("SANDB-00012-00000-00000-00000-0000M", "LICENCE_REVOKED"),
  code("SANDB-00012-00001-00000-00000-0000B", "LICENCE_REVOKED", refusedAfterActivation),
  code("SANDB-00013-00000-00000-00000-0000R", "LICENCE_SUSPENDED"),
  code("SANDB-00013-00001-00000-00000-00007", "LICENCE_SUSPENDED", refusedAfterActivation),
  code("SANDB-00014-00000-00000-00000-0000S", "LICENCE_EXPIRED"),
  code("SANDB-00014-00001-00000-00000-00006", "LICENCE_EXPIRED", refusedAfterActivation),
  code("SANDB-00020-00000-00000-00000-00001", "MACHINE_BLOCKED"),
  code("SANDB-00020-00001-00000-00000-0000Y", "MACHINE_BLOCKED", refusedAfterActivation),
  code("SANDB-00021-00000-00000-00000-0000D", "NOT_ACTIVATED"),
  code("SANDB-00022-00000-00000-00000-0000S", "MACHINE_LIMIT_EXCEEDED"),
  code("SANDB-00023-00000-00000-00000-0000N", "FINGERPRINT_MISMATCH"),
  code("SANDB-00024-00000-00000-00000-0000M", "VM_NOT_ALLOWED"),
  code("SANDB-00024-00001-00000-00000-0000B", "VM_NOT_ALLOWED", refusedAfterActivation),
  code("SANDB-00025-00000-00000-00000-0000R", "MACHINE_OFFLINE_LOCKED"),
  code("SANDB-00030-00000-00000-00000-0000S", "NO_SEATS_AVAILABLE", { licence: "concurrent" }),
  code("SANDB-00031-00000-00000-00000-0000N", "LEASE_EXPIRED", { licence: "concurrent" }),
  code("SANDB-00032-00000-00000-00000-00001", "LEASE_NOT_FOUND", { licence: "concurrent" }),
  code("SANDB-00040-00000-00000-00000-0000V", "TRIAL_ALREADY_USED", { licence: "trial" }),
  code("SANDB-00041-00000-00000-00000-0000Q", "USAGE_LIMIT_REACHED", { licence: "trial" }),
  code("SANDB-00041-00001-00000-00000-00008", "USAGE_LIMIT_REACHED", { licence: "trial", ...refusedAfterActivation }),
  code("SANDB-00050-00000-00000-00000-00003", "FEATURE_NOT_LICENSED", { licence: "standard" }),
  code("SANDB-00051-00000-00000-00000-0000F", "VERSION_NOT_SUPPORTED"),
  code("SANDB-00051-00001-00000-00000-0000G", "VERSION_NOT_SUPPORTED", refusedAfterActivation),
  code("SANDB-00429-00000-00000-00000-0000W", "VALID", { status: 429 }),
  code("SANDB-00503-00000-00000-00000-0000B", "VALID", { status: 503 }),
];

/**
 * Values of `device_code` that a poll can use to get each error of RFC 8628. A poll with a sandbox licence code as its
 * `device_code` activates that licence.
 */
export const sandboxDeviceCodes = [
  "sandbox-authorization_pending",
  "sandbox-slow_down",
  "sandbox-access_denied",
  "sandbox-expired_token",
  "sandbox-invalid_grant",
] as const;

/** Emailed code for moving a sandbox licence. No email is sent. */
export const sandboxEmailCode = "000 000";
