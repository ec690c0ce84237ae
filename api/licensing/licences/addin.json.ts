import { getHelpPath } from "#schema/help-articles.ts";
import { type LicenceWarning, messageOfResultCode, ResultCode } from "#schema/result-code.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { isTrialLevel } from "#schema/product-level.ts";
import type { MachineRequest } from "#schema/protocol.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { StatusResponse } from "#api/platform/http/define-route.ts";
import { deriveSandboxKeys } from "#api/platform/keys/sandbox-keys.ts";
import { isLeased, leaseTimeMs } from "#api/licensing/leases/lease-terms.ts";
import type { LicenceAnswer } from "./licence-answer.ts";
import { LONGEST_PROOF_LIFE_MS, signLicenceProof } from "./licence-proof.ts";
import type { LicenceFacts } from "./licence-checks.ts";
import { getFeatures } from "./licence-status.ts";

/** Time until the add-in validates again, in milliseconds (docs/domain.md#grace). */
const VALIDATE_AFTER_MS = DAY;
/** Longest time the add-in may run without another answer, in milliseconds: first on paid licences, then on trials. */
const GRACE_MS = LONGEST_PROOF_LIFE_MS;
const TRIAL_GRACE_MS = DAY;
/** A licence that expires within this time, in milliseconds, gets a warning. */
const EXPIRING_SOON_MS = 7 * DAY;
/** A client clock that differs by more than this, in milliseconds, gets a warning. */
const CLOCK_SKEW_MS = 5 * MINUTE;
/** Lifetime of a proof that doesn't allow the add-in to run, in milliseconds: long enough for delivery. */
const PASSING_PROOF_MS = 5 * MINUTE;

/**
 * Returns the published answer to the add-in: data and its proof (docs/domain.md#proof). Fields without a value are
 * omitted, never null. The golden files in `tests/app/golden/v1` define its exact shape.
 */
function toAddinJson(services: Pick<Services, "keys" | "clock">, asked: MachineRequest, answer: LicenceAnswer) {
  const now = services.clock.now();
  const { data, graceUntil } = buildAddinData(asked, answer, now);
  const proof = signLicenceProof(getSigningServices(services, answer), {
    type: "licence-proof",
    data,
    nonce: asked.nonce,
    fingerprint: asked.machine.fingerprint,
    expiresAt: graceUntil ?? addMilliseconds(now, PASSING_PROOF_MS),
  });
  return { data, proof };
}

/**
 * Returns the response with the published answer. After a refusal or with a warning, its header `Link` leads to the article
 * that explains the message (docs/addin.md).
 */
export function toAddinResponse(
  context: Pick<Services, "keys" | "clock" | "config">,
  asked: MachineRequest,
  answer: LicenceAnswer,
) {
  const json = toAddinJson(context, asked, answer);
  const [about] = json.data.code === "VALID" ? json.data.warnings : [json.data.code];
  if (!about) return json;
  return new StatusResponse(200, json, { link: `<${context.config.publicUrl}${getHelpPath(about)}>; rel="help"` });
}

/**
 * Returns the services that sign an answer. Sandbox answers use separate keys that no add-in in production trusts
 * (decision 0054).
 */
export function getSigningServices({ keys, clock }: Pick<Services, "keys" | "clock">, { sandbox }: LicenceAnswer) {
  return { clock, keys: sandbox ? deriveSandboxKeys(keys) : keys };
}

/** Returns the data of an answer, and the time until which the device may run on it (null if it may not run). */
export function buildAddinData(asked: MachineRequest, answer: LicenceAnswer, now: Date) {
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
  const graceUntil = valid && licence ? getGraceEnd(licence, answer, now) : null;
  const data = {
    valid,
    resultCode: ResultCode[code],
    code,
    message: answer.message ?? messageOfResultCode[code],
    warnings: findWarnings(asked, answer, now),
    serverTimeUtc: now.toISOString(),
    ...(sandbox ? { sandbox: true as const } : {}),
    ...(licence ? { licence: formatLicence(licence) } : {}),
    ...(deviceId ? { machine: { id: deviceId } } : {}),
    ...(machineToken ? { machineToken } : {}),
    ...(lease && licence ? { lease: formatLease(lease, licence) } : {}),
    ...(licenceCode ? { licenceCode } : {}),
    ...(machines
      ? {
          machines: machines.map(({ id, machineName, lastSeenAt, activatedAt }) => ({
            id,
            machineName: formatMachineName(machineName),
            lastSeenUtc: lastSeenAt.toISOString(),
            activatedUtc: activatedAt.toISOString(),
          })),
        }
      : {}),
    ...(deactivationsRemaining === undefined ? {} : { deactivationsRemaining }),
    ...(usageRemaining === undefined ? {} : { usageRemaining }),
    ...(graceUntil
      ? {
          validateAfterUtc: minDate(addMilliseconds(now, VALIDATE_AFTER_MS), graceUntil).toISOString(),
          graceUntilUtc: graceUntil.toISOString(),
        }
      : {}),
  };
  return { data, graceUntil };
}

function formatLicence(licence: LicenceFacts) {
  return {
    id: licence.licenceId,
    productLevel: licence.productLevel,
    licenceType: licence.licenceType,
    licenceActivationType: licence.licenceActivationType,
    features: [...getFeatures(licence.productLevel)],
    expiryDateUtc: new Date(licence.expiresAtMs).toISOString(),
  };
}

function formatLease(lease: NonNullable<LicenceAnswer["lease"]>, licence: LicenceFacts) {
  return {
    id: lease.id,
    expiresAtUtc: lease.expiresAt.toISOString(),
    heartbeatIntervalMinutes: licence.heartbeatMinutes,
    inUse: lease.inUse,
    seats: licence.seats,
  };
}

/**
 * Returns the time until which the add-in may run without another answer (docs/domain.md#grace). With a seat this is
 * exactly the end of the lease, because another device may take the seat afterwards. A validation doesn't shorten a
 * borrowed seat. The result is never later than the licence's expiry.
 */
function getGraceEnd(licence: LicenceFacts, { lease, leasedUntil }: LicenceAnswer, now: Date): Date {
  const end = new Date(licence.expiresAtMs);
  if (lease) return minDate(lease.expiresAt, end);
  const graceWithoutSeats = isTrialLevel(licence.productLevel) ? TRIAL_GRACE_MS : GRACE_MS;
  const grace = isLeased(licence) ? leaseTimeMs(licence) : graceWithoutSeats;
  return minDate(maxDate(addMilliseconds(now, grace), leasedUntil), end);
}

function findWarnings(asked: MachineRequest, answer: LicenceAnswer, now: Date): LicenceWarning[] {
  const licence = answer.code === "VALID" ? answer.licence : undefined;
  const isClockSkewed = Math.abs(asked.clientTimeUtc.getTime() - now.getTime()) > CLOCK_SKEW_MS;
  const warnings: LicenceWarning[] = [];
  if (licence?.isPaymentOverdue) warnings.push("PAYMENT_OVERDUE");
  if (licence && licence.expiresAtMs - now.getTime() <= EXPIRING_SOON_MS) warnings.push("EXPIRING_SOON");
  if (isClockSkewed || answer.sandbox?.isClockSkewed) warnings.push("CLOCK_SKEW");
  if (licence?.isUpdateAvailable) warnings.push("UPDATE_AVAILABLE");
  return warnings;
}

function minDate(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function maxDate(a: Date, b: Date | undefined): Date {
  return b && b > a ? b : a;
}
