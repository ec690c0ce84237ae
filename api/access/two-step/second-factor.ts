import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { limitTries } from "#api/platform/limit-tries.ts";
import { openSecret } from "#api/platform/sealed-secrets.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { normaliseRecoveryCode, spendRecoveryCode } from "./recovery-codes.ts";
import { timeStepOfCode } from "./totp.ts";

/** Said of a code that is wrong, was used, or belongs to another time. */
export const WRONG_CODE = "That code is not right. A code works once: wait for the next one and try again.";

/**
 * Whether a code is the app's present one or one of the recovery codes, told apart by their shape; either is used up.
 * Belongs to the transaction of `em`, in which the user's row is locked.
 */
export async function isSecondFactor(context: Context, em: EntityManager, user: User, typed: string): Promise<boolean> {
  const digits = typed.replace(/[\s\p{Pd}]/gu, "");
  if (/^\d{6}$/.test(digits)) return isAppCode(context, em, user, digits);
  const code = normaliseRecoveryCode(typed);
  return code !== null && spendRecoveryCode(context, em, user, code);
}

async function isAppCode(context: Context, em: EntityManager, user: User, code: string): Promise<boolean> {
  const app = await em.findOne(AuthenticatorApp, { user: user.id }, { refresh: true });
  if (!app?.secret) return false;
  const secret = openSecret(context.keys, app.secret, user.id);
  if (secret === null) {
    context.log.error({ userId: user.id }, "an authenticator app's secret cannot be opened: its signing key is gone");
    return false;
  }
  const timeStep = timeStepOfCode(secret, code, context.clock.now());
  if (timeStep === null) return false;
  // Whoever comes second with the same code finds its step taken.
  const accepted = await em.nativeUpdate(
    AuthenticatorApp,
    { id: app.id, $or: [{ lastTimeStep: null }, { lastTimeStep: { $lt: timeStep } }] },
    { lastTimeStep: timeStep },
  );
  return accepted === 1;
}

/**
 * Lets an account's second factor be guessed ten times an hour, over all its sign-ins and sessions; right answers do
 * not count.
 * @throws AppError RATE_LIMITED saying when to try again.
 */
export async function limitGuesses(context: Context, userId: string, guess: () => Promise<boolean>): Promise<boolean> {
  try {
    return await limitTries(context, [["twoStepGuess", userId]], async (countTry) => {
      const right = await guess();
      if (!right) countTry();
      return right;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "RATE_LIMITED") throw error;
    throw new AppError("RATE_LIMITED", {
      message: `Too many wrong codes. Please try again in ${inMinutes(error.retryAfterSeconds ?? 60)}.`,
      retryAfterSeconds: error.retryAfterSeconds ?? 60,
    });
  }
}

function inMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
