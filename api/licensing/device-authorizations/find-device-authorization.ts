import { ResultCode } from "#schema/result-code.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";
import { DeviceAuthorizationState } from "./device-authorization.type.ts";
import { hashUserCode, parseUserCode } from "./request-device-authorization.ts";

/**
 * Returns the error for a code that is mistyped, unknown, expired or decided by another user. The error is the same in
 * all four cases.
 */
export function createUserCodeError(): AppError {
  return badInput({
    userCode: [
      "This code is not valid or has expired. Check it in the add-in, or start again there to get a new code.",
    ],
  });
}

/**
 * Finds the device authorization with a typed user code, if it is pending or was decided by the caller.
 * @throws AppError BAD_USER_INPUT with the same message for every wrong code; RATE_LIMITED after 10 wrong codes in 10
 * minutes.
 */
export async function findDeviceAuthorization(context: Context, typed: string): Promise<DeviceAuthorization> {
  const { actor, clock } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  const code = parseUserCode(typed);
  const em = context.em.fork();
  const userCodeHash = hashUserCode(context, code ?? "");
  // The page polls for the result of the caller's own decision, so those lookups don't count as guesses.
  const own = code && (await em.findOne(DeviceAuthorization, { userCodeHash, user: actor.userId }));
  if (own) return own;
  return limitAttempts(context, [["userCodeGuess", actor.userId]], async (countTry) => {
    const open = { decision: null, expiresAt: { $gt: clock.now() } };
    // The caller may have decided in another tab since the lookup above.
    const pendingOrOwn = { userCodeHash, $or: [open, { user: actor.userId }] };
    const found = code && (await em.findOne(DeviceAuthorization, pendingOrOwn));
    if (found) return found;
    countTry();
    throw createUserCodeError();
  });
}

/** Returns the status of a device authorization at `now`. */
export function getDeviceAuthorizationState(
  { decision, resultCode, expiresAt }: Pick<DeviceAuthorization, "decision" | "resultCode" | "expiresAt">,
  now: Date,
): DeviceAuthorizationState {
  if (decision === "denied") return DeviceAuthorizationState.DENIED;
  if (resultCode === ResultCode.VALID) return DeviceAuthorizationState.ACTIVATED;
  if (resultCode !== null) return DeviceAuthorizationState.REFUSED;
  if (expiresAt <= now) return DeviceAuthorizationState.EXPIRED;
  return decision ? DeviceAuthorizationState.CONFIRMED : DeviceAuthorizationState.PENDING;
}
