import { type LicenceWarning, messageOfResultCode, ResultCode } from "#schema/catalogue.ts";
import { shownMachineName } from "#schema/machine-name.ts";
import type { MachineQuestion } from "#schema/rules/protocol.ts";
import { after, DAY, MINUTE } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { sandboxKeysOf } from "#api/platform/sandbox-keys.ts";
import { isLeased, leaseTimeMs } from "#api/licensing/leases/lease-terms.ts";
import type { LicenceAnswer, LicenceMachine } from "./licence-answer.ts";
import { LONGEST_PROOF_LIFE_MS, signLicenceProof } from "./licence-proof.ts";
import type { LicenceFacts } from "./licence-standing.ts";
import { featuresOf, isTrialLevel } from "./licence-status.ts";

/** When the add-in validates again (docs/domain.md#grace). */
const VALIDATE_AFTER_MS = DAY;
/** How long it may run without an answer: paid, and on trial. */
const GRACE_MS = LONGEST_PROOF_LIFE_MS;
const TRIAL_GRACE_MS = DAY;
/** An end nearer than this is warned of. */
const EXPIRING_SOON_MS = 7 * DAY;
/** A client's clock further off than this is warned of. */
const CLOCK_SKEW_MS = 5 * MINUTE;
/** How long a proof that lets nothing run is good for: long enough to arrive. */
const PASSING_PROOF_MS = 5 * MINUTE;

/**
 * The published answer to the add-in: data and its proof (docs/domain.md#proof). Members that say nothing are
 * absent, never null. The golden files in `tests/app/golden/v1` hold its exact shape.
 */
export function addinJson(services: Pick<Services, "keys" | "clock">, asked: MachineQuestion, answer: LicenceAnswer) {
  const now = services.clock.now();
  const { data, graceUntil } = addinData(asked, answer, now);
  const proof = signLicenceProof(signersOf(services, answer), {
    type: "licence-proof",
    data,
    nonce: asked.nonce,
    fingerprint: asked.machine.fingerprint,
    expiresAt: graceUntil ?? after(now, PASSING_PROOF_MS),
  });
  return { data, proof };
}

/** Who signs an answer: of the sandbox, keys that no add-in in use trusts (decision 0054). */
export function signersOf({ keys, clock }: Pick<Services, "keys" | "clock">, { sandbox }: LicenceAnswer) {
  return { clock, keys: sandbox ? sandboxKeysOf(keys) : keys };
}

/** What an answer says, and until when the machine may run on it; null where it may not run at all. */
export function addinData(asked: MachineQuestion, answer: LicenceAnswer, now: Date) {
  const {
    code,
    licence,
    deviceId,
    machineToken,
    licenceCode,
    machines,
    lease,
    deactivationsRemaining,
    usageRemaining,
    sandbox,
  } = answer;
  const valid = code === "VALID";
  const graceUntil = valid && licence ? endOfGrace(licence, answer, now) : null;
  const data = {
    valid,
    resultCode: ResultCode[code],
    code,
    message: answer.message ?? messageOfResultCode[code],
    warnings: warningsOf(asked, answer, now),
    serverTimeUtc: now.toISOString(),
    ...(sandbox ? { sandbox: true as const } : {}),
    ...(licence ? { licence: licenceOf(licence) } : {}),
    ...(deviceId ? { machine: { id: deviceId } } : {}),
    ...(machineToken ? { machineToken } : {}),
    ...(lease && licence ? { lease: leaseOf(lease, licence) } : {}),
    ...(licenceCode ? { licenceCode } : {}),
    ...(machines ? { machines: machines.map(machineOf) } : {}),
    ...(deactivationsRemaining === undefined ? {} : { deactivationsRemaining }),
    ...(usageRemaining === undefined ? {} : { usageRemaining }),
    ...(graceUntil
      ? {
          validateAfterUtc: earlier(after(now, VALIDATE_AFTER_MS), graceUntil).toISOString(),
          graceUntilUtc: graceUntil.toISOString(),
        }
      : {}),
  };
  return { data, graceUntil };
}

function licenceOf(licence: LicenceFacts) {
  return {
    id: licence.licenceId,
    productLevel: licence.productLevel,
    licenceType: licence.licenceType,
    licenceActivationType: licence.licenceActivationType,
    features: [...featuresOf(licence.productLevel)],
    expiryDateUtc: new Date(licence.expiresAtMs).toISOString(),
  };
}

function leaseOf(lease: NonNullable<LicenceAnswer["lease"]>, licence: LicenceFacts) {
  return {
    id: lease.id,
    expiresAtUtc: lease.expiresAt.toISOString(),
    heartbeatIntervalMinutes: licence.heartbeatMinutes,
    inUse: lease.inUse,
    seats: licence.seats,
  };
}

/**
 * Until when the add-in may run without asking: with a seat as long as that is taken, to the millisecond, since another
 * may have it then; a validation shortens no seat that was borrowed; never past the licence's end
 * (docs/domain.md#grace).
 */
function endOfGrace(licence: LicenceFacts, { lease, leasedUntil }: LicenceAnswer, now: Date): Date {
  const end = new Date(licence.expiresAtMs);
  if (lease) return earlier(lease.expiresAt, end);
  const grace = isLeased(licence)
    ? leaseTimeMs(licence)
    : isTrialLevel(licence.productLevel)
      ? TRIAL_GRACE_MS
      : GRACE_MS;
  return earlier(later(after(now, grace), leasedUntil), end);
}

function machineOf({ deviceId, machineName, lastSeenAt, activatedAt }: LicenceMachine) {
  return {
    id: deviceId,
    machineName: shownMachineName(machineName),
    lastSeenUtc: lastSeenAt.toISOString(),
    activatedUtc: activatedAt.toISOString(),
  };
}

function warningsOf(asked: MachineQuestion, answer: LicenceAnswer, now: Date): LicenceWarning[] {
  const licence = answer.code === "VALID" ? answer.licence : undefined;
  const isClockSkewed = Math.abs(asked.clientTimeUtc.getTime() - now.getTime()) > CLOCK_SKEW_MS;
  const warnings: LicenceWarning[] = [];
  if (licence?.isPaymentOverdue) warnings.push("PAYMENT_OVERDUE");
  if (licence && licence.expiresAtMs - now.getTime() <= EXPIRING_SOON_MS) warnings.push("EXPIRING_SOON");
  if (isClockSkewed || answer.sandbox?.isClockSkewed) warnings.push("CLOCK_SKEW");
  if (licence?.isUpdateAvailable) warnings.push("UPDATE_AVAILABLE");
  return warnings;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function later(a: Date, b: Date | undefined): Date {
  return b && b > a ? b : a;
}
