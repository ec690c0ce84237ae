import { MemberType } from "#schema/user.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { AppError } from "#api/platform/errors.ts";
import { limitAttempts } from "#api/platform/limits/limit-attempts.ts";
import { openSecret, createResealSweep, type SealedColumn } from "#api/platform/keys/sealed-secrets.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp, Passkey } from "./two-step-methods.entity.ts";
import { normaliseRecoveryCode, consumeRecoveryCode } from "./recovery-codes.ts";
import { findTimeStep, joinCode } from "./totp.ts";

/** Message for a code that is wrong, used or out of date. */
export const WRONG_CODE = "That code is incorrect or already used. Wait for the next code and try again.";

/**
 * Returns whether the input is the current code from the app or an unused recovery code, and consumes it. Tells the two
 * apart by their format. Runs in the transaction of `em`, which must have locked the user's row.
 */
export async function verifySecondFactor(
  context: Context,
  em: EntityManager,
  user: User,
  typed: string,
): Promise<boolean> {
  const digits = joinCode(typed);
  if (/^\d{6}$/.test(digits)) return isAppCode(context, em, user, digits);
  const code = normaliseRecoveryCode(typed);
  return code !== null && consumeRecoveryCode(context, em, user, code);
}

/**
 * Returns whether codes of the authenticator app are accepted: with ADMIN_TWO_STEP=passkey not from an admin who has a passkey.
 */
export async function acceptsAppCodes(
  { config }: Pick<Context, "config">,
  em: EntityManager,
  user: Pick<User, "id" | "memberType">,
): Promise<boolean> {
  if (!config.adminPasskeyRequired || user.memberType !== MemberType.Admin) return true;
  return (await em.count(Passkey, { user: user.id })) === 0;
}

async function isAppCode(context: Context, em: EntityManager, user: User, code: string): Promise<boolean> {
  const app = await em.findOne(AuthenticatorApp, { user: user.id }, { refresh: true });
  if (!app?.secret || !(await acceptsAppCodes(context, em, user))) return false;
  const secret = openSecret(context.encryptionKeys, app.secret, user.id);
  if (secret === null) {
    context.log.error(
      { userId: user.id },
      "can't open an authenticator app's secret because its encryption key is missing",
    );
    return false;
  }
  const timeStep = findTimeStep(secret, code, context.clock.now());
  if (timeStep === null) return false;
  // A concurrent request with the same code updates no row.
  const accepted = await em.nativeUpdate(
    AuthenticatorApp,
    { id: app.id, $or: [{ lastTimeStep: null }, { lastTimeStep: { $lt: timeStep } }] },
    { lastTimeStep: timeStep },
  );
  return accepted === 1;
}

/**
 * Runs `guess` unless the account has used up its 10 wrong codes an hour, counted across all its sign-ins and sessions.
 * Correct codes don't count.
 * @throws AppError RATE_LIMITED with the time to wait.
 */
export async function limitGuesses(context: Context, userId: string, guess: () => Promise<boolean>): Promise<boolean> {
  try {
    return await limitAttempts(context, [["twoStepGuess", userId]], async (countTry) => {
      const isRight = await guess();
      if (!isRight) countTry();
      return isRight;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "RATE_LIMITED") throw error;
    throw new AppError("RATE_LIMITED", {
      message: `Too many wrong codes. Please try again in ${formatMinutes(error.retryAfterSeconds ?? 60)}.`,
      retryAfterSeconds: error.retryAfterSeconds ?? 60,
    });
  }
}

function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** Columns with the sealed secrets of authenticator apps. */
export const appSecretColumns: readonly SealedColumn[] = ["secret", "pending_secret"].map((column) => ({
  table: "authenticator_apps",
  column,
  boundTo: "user_id",
}));

/** Encrypts app secrets again with the current encryption key, so that the other keys can be removed. */
export const resealAppSecrets = createResealSweep("reseal-app-secrets", appSecretColumns);
