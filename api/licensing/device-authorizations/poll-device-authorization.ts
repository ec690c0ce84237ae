import { LockMode } from "@mikro-orm/core";
import { ResultCode } from "#schema/result-code.ts";
import type { PollDeviceAuthorizationValues } from "#schema/protocol.ts";
import { addMilliseconds, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { isSameFingerprint } from "#api/licensing/devices/match-device.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";

/** Seconds added to the interval each time the add-in polls too early (RFC 8628 §3.5). */
const SLOW_DOWN_SECONDS = 5;

/** Error codes of a poll that activated nothing (RFC 8628 §3.5, RFC 6749 §5.2). */
export type PollErrorCode = "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";

/** Outcome of a poll: an error code, or the result of an activation. */
export type PollOutcome =
  | { readonly kind: "refused"; readonly error: PollErrorCode }
  | { readonly kind: "answer"; readonly answer: LicenceAnswer };

interface ConfirmedAuthorization {
  readonly id: string;
  readonly decidedAt: Date;
  readonly licenceCode: string;
  readonly replaceDeviceId: string | null;
  /** The device that an earlier poll activated. Later polls can't activate another one. */
  readonly deviceId: string | null;
}

/**
 * Polls a device authorization. After the customer has confirmed it, the poll activates the machine on the chosen
 * licence. Until the code expires, repeated polls return the same device and token, so a lost response can be retried.
 * Polls from another machine are refused (decision 0024).
 * @throws AppError RATE_LIMITED as {@link activateDevice} does.
 */
export async function pollDeviceAuthorization(
  context: Context,
  values: PollDeviceAuthorizationValues,
): Promise<PollOutcome> {
  // This transaction ends before the activation, which locks the licence first and then its user.
  const found = await inTransaction(context, (em) => readAuthorization(context, em, values));
  if (typeof found === "string") return { kind: "refused", error: found };

  const { id, decidedAt, licenceCode, replaceDeviceId, deviceId } = found;
  const answer = await activateDevice(
    context,
    { ...values, licenceCode, replaceMachineId: replaceDeviceId ?? undefined },
    { replacesOnlyIfFull: true, ...(deviceId ? { onlyDeviceId: deviceId } : {}) },
  );
  // Don't overwrite the result of a newer decision or of an earlier successful activation.
  await context.em
    .fork()
    .nativeUpdate(
      DeviceAuthorization,
      { id, decidedAt, $or: [{ resultCode: null }, { resultCode: { $ne: ResultCode.VALID } }] },
      { resultCode: ResultCode[answer.code], deviceId: answer.deviceId ?? null },
    );
  return { kind: "answer", answer: answer.code === "VALID" ? { ...answer, licenceCode } : answer };
}

async function readAuthorization(
  context: Context,
  em: EntityManager,
  values: PollDeviceAuthorizationValues,
): Promise<PollErrorCode | ConfirmedAuthorization> {
  const now = context.clock.now();
  const found = await em.findOne(
    DeviceAuthorization,
    { deviceCodeHash: hashSecret(values.device_code) },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!found) return "invalid_grant";
  if (found.expiresAt <= now) return "expired_token";
  const isSameMachine = isSameFingerprint(found.fingerprint, values.machine.fingerprint);
  if ((!isSameMachine || !found.decision) && recordPollTooEarly(found, now)) return "slow_down";
  if (!isSameMachine) {
    // Another machine has obtained the device code. The event shows this to the licence's owner.
    if (found.licence)
      recordLicenceEvent(context, em, {
        kind: "activate",
        resultCode: ResultCode.FINGERPRINT_MISMATCH,
        licenceId: found.licence.id,
        request: values,
      });
    return "access_denied";
  }
  if (!found.decision) return "authorization_pending";
  if (found.decision === "denied" || !found.licence || !found.decidedAt) return "access_denied";
  const { licenceCode } = await em.findOneOrFail(Licence, found.licence.id);
  const { id, decidedAt, replaceDeviceId, deviceId } = found;
  return { id, decidedAt, licenceCode, replaceDeviceId, deviceId };
}

/**
 * Records the time of this poll. Returns true and lengthens the interval if the poll came too early. A clock that was set
 * back doesn't count as early.
 */
function recordPollTooEarly(found: DeviceAuthorization, now: Date): boolean {
  const { lastPolledAt, intervalSeconds } = found;
  found.lastPolledAt = now;
  const isEarly =
    lastPolledAt !== null && lastPolledAt <= now && now < addMilliseconds(lastPolledAt, intervalSeconds * SECOND);
  if (isEarly) found.intervalSeconds += SLOW_DOWN_SECONDS;
  return isEarly;
}
