import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { emailUser } from "#api/messaging/emails/send-email.ts";
import { twoStepChanged } from "#api/messaging/emails/templates/two-step-changed.tsx";
import type { TwoStepChange } from "#api/messaging/emails/templates/two-step-changed.tsx";
import { AuthenticatorApp, Passkey, RecoveryCode, TwoStepChallenge } from "./two-step-methods.entity.ts";
import { getTwoStepMethods } from "./two-step-state.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";

/**
 * Turns two-step sign-in on if this is the first method, and notifies the user. Sessions continue. Like all functions
 * in this file, it runs in the transaction of `em`, which must have locked the user's row.
 * @returns the recovery codes if two-step sign-in was turned on, otherwise an empty array.
 */
export async function completeMethodAddition(
  context: Context,
  em: EntityManager,
  user: User,
  change: TwoStepChange,
): Promise<string[]> {
  const isFirst = user.twoStepSince === null;
  if (isFirst) {
    user.twoStepSince = context.clock.now();
    await notifyTwoStepChange(context, em, user, { kind: "on" });
  }
  if (!isFirst || change.kind === "passkey-added") await notifyTwoStepChange(context, em, user, change);
  return isFirst ? replaceRecoveryCodes(context, em, user) : [];
}

/** Notifies the user that a method was removed, and turns two-step sign-in off if it was the last one. */
export async function completeMethodRemoval(
  context: Context,
  em: EntityManager,
  user: User,
  change: TwoStepChange,
): Promise<void> {
  await notifyTwoStepChange(context, em, user, change);
  const { app, passkey } = await getTwoStepMethods(em, user.id);
  if (!app && !passkey) await turnOffAndNotify(context, em, user);
}

/** Turns two-step sign-in off, deletes every method and code, and notifies the user by email. */
export async function turnOffAndNotify(context: Context, em: EntityManager, user: User): Promise<void> {
  await deleteTwoStep(em, user);
  await notifyTwoStepChange(context, em, user, { kind: "off" });
}

/** Turns two-step sign-in off and deletes every method and code without notifying the user. */
export async function deleteTwoStep(em: EntityManager, user: User): Promise<void> {
  const own = { user: user.id };
  await em.nativeDelete(AuthenticatorApp, own);
  await em.nativeDelete(Passkey, own);
  await em.nativeDelete(RecoveryCode, own);
  await em.nativeDelete(TwoStepChallenge, own);
  user.twoStepSince = null;
}

export async function notifyTwoStepChange(
  context: Context,
  em: EntityManager,
  user: User,
  change: TwoStepChange,
): Promise<void> {
  await emailUser(context, em, user, twoStepChanged, { at: context.clock.now(), change });
}
