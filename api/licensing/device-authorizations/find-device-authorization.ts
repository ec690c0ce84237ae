import { ResultCode } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { limitTries } from "#api/platform/limit-tries.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";
import { DeviceAuthorizationState } from "./device-authorization.type.ts";
import { hashUserCode, readUserCode } from "./request-device-authorization.ts";

/** Said of every code that is not the caller's to answer: mistyped, lapsed, or answered by somebody else. */
export function wrongUserCode(): AppError {
  return badInput({
    userCode: [
      "We do not know this code, or it has lapsed. Check it against the add-in, or start again there for a new one.",
    ],
  });
}

/**
 * The device authorization behind a typed user code: one that still waits for an answer, or the caller's own answer.
 * @throws AppError BAD_USER_INPUT, alike for every wrong code; RATE_LIMITED after 10 wrong ones in 10 minutes.
 */
export async function findDeviceAuthorization(context: Context, typed: string): Promise<DeviceAuthorization> {
  const { actor, clock } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  const code = readUserCode(typed);
  const em = context.em.fork();
  const userCodeHash = hashUserCode(context, code ?? "");
  // The page asks again and again what became of the caller's own answer: that is no guess.
  const own = code && (await em.findOne(DeviceAuthorization, { userCodeHash, user: actor.userId }));
  if (own) return own;
  return limitTries(context, [["userCodeGuess", actor.userId]], async (countTry) => {
    const open = { decision: null, expiresAt: { $gt: clock.now() } };
    // The caller may have answered in another tab since the lookup above.
    const answerable = { userCodeHash, $or: [open, { user: actor.userId }] };
    const found = code && (await em.findOne(DeviceAuthorization, answerable));
    if (found) return found;
    countTry();
    throw wrongUserCode();
  });
}

/** What a device authorization has come to at `now`. */
export function stateOfDeviceAuthorization(
  { decision, resultCode, expiresAt }: Pick<DeviceAuthorization, "decision" | "resultCode" | "expiresAt">,
  now: Date,
): DeviceAuthorizationState {
  if (decision === "denied") return DeviceAuthorizationState.DENIED;
  if (resultCode === ResultCode.VALID) return DeviceAuthorizationState.ACTIVATED;
  if (resultCode !== null) return DeviceAuthorizationState.REFUSED;
  if (expiresAt <= now) return DeviceAuthorizationState.EXPIRED;
  return decision ? DeviceAuthorizationState.CONFIRMED : DeviceAuthorizationState.PENDING;
}
