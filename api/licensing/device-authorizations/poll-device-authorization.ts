import { LockMode } from "@mikro-orm/core";
import { ResultCode } from "#schema/catalogue.ts";
import type { PollDeviceAuthorizationValues } from "#schema/rules/device-authorization.ts";
import { after, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { activateDevice } from "#api/licensing/devices/activate-device.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { noteLicenceEvent } from "#api/licensing/licences/note-licence-event.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";

/** By how much the interval grows when the add-in does not keep it (RFC 8628 §3.5). */
const SLOWER_BY_SECONDS = 5;

/** Why a poll has no answer (yet), by the names of RFC 8628 §3.5 and RFC 6749 §5.2. */
export type PollRefusal = "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant";

/** What a poll came to: not yet, never, or the answer of an activation. */
export type PollOutcome =
  | { readonly kind: "refused"; readonly error: PollRefusal }
  | { readonly kind: "answer"; readonly answer: LicenceAnswer };

interface Confirmed {
  readonly id: string;
  readonly decidedAt: Date;
  readonly licenceCode: string;
  readonly replaceDeviceId: string | null;
  /** The place that an earlier poll got; another one is not given. */
  readonly deviceId: string | null;
}

/**
 * Asks what became of a device authorization. Once it is confirmed, polling itself activates the machine on the
 * licence the customer chose; a poll repeated after a lost answer gets the same device and token, until the code
 * expires. Only the machine that asked is answered (decision 0024).
 * @throws AppError RATE_LIMITED as {@link activateDevice} does.
 */
export async function pollDeviceAuthorization(
  context: Context,
  values: PollDeviceAuthorizationValues,
): Promise<PollOutcome> {
  // Nothing is held while the device is activated: that locks the licence, and then its user.
  const found = await inTransaction(context, (em) => look(context, em, values));
  if (typeof found === "string") return { kind: "refused", error: found };

  const { id, decidedAt, licenceCode, replaceDeviceId, deviceId } = found;
  const answer = await activateDevice(
    context,
    { ...values, licenceCode, replaceMachineId: replaceDeviceId ?? undefined },
    { replacesOnlyIfFull: true, ...(deviceId ? { onlyDeviceId: deviceId } : {}) },
  );
  // What was decided anew meanwhile, or fetched before, keeps its own result.
  await context.em
    .fork()
    .nativeUpdate(
      DeviceAuthorization,
      { id, decidedAt, $or: [{ resultCode: null }, { resultCode: { $ne: ResultCode.VALID } }] },
      { resultCode: ResultCode[answer.code], deviceId: answer.deviceId ?? null },
    );
  return { kind: "answer", answer: answer.code === "VALID" ? { ...answer, licenceCode } : answer };
}

async function look(
  context: Context,
  em: EntityManager,
  values: PollDeviceAuthorizationValues,
): Promise<PollRefusal | Confirmed> {
  const now = context.clock.now();
  const found = await em.findOne(
    DeviceAuthorization,
    { deviceCodeHash: hashSecret(values.device_code) },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!found) return "invalid_grant";
  if (found.expiresAt <= now) return "expired_token";
  const isSameMachine = found.fingerprint === values.machine.fingerprint;
  if ((!isSameMachine || !found.decision) && isTooEarly(found, now)) return "slow_down";
  if (!isSameMachine) {
    // Somebody has the secret of another machine: the owner of the licence may see that.
    if (found.licence)
      noteLicenceEvent(context, em, {
        kind: "activate",
        resultCode: ResultCode.FINGERPRINT_MISMATCH,
        licenceId: found.licence.id,
        asked: values,
      });
    return "access_denied";
  }
  if (!found.decision) return "authorization_pending";
  if (found.decision === "denied" || !found.licence || !found.decidedAt) return "access_denied";
  const { licenceCode } = await em.findOneOrFail(Licence, found.licence.id);
  const { id, decidedAt, replaceDeviceId, deviceId } = found;
  return { id, decidedAt, licenceCode, replaceDeviceId, deviceId };
}

/** Whether this poll came before its time, and if so, makes the next one wait longer. A clock set back is no haste. */
function isTooEarly(found: DeviceAuthorization, now: Date): boolean {
  const { lastPolledAt, intervalSeconds } = found;
  found.lastPolledAt = now;
  const isEarly = lastPolledAt !== null && lastPolledAt <= now && now < after(lastPolledAt, intervalSeconds * SECOND);
  if (isEarly) found.intervalSeconds += SLOWER_BY_SECONDS;
  return isEarly;
}
