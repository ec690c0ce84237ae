import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import type { TwoStepChange } from "#api/messaging/mails/templates/two-step-changed.tsx";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { methodsOf } from "./methods.ts";
import { Passkey } from "./passkey.entity.ts";
import { RecoveryCode } from "./recovery-code.entity.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { TwoStepChallenge } from "./two-step-challenge.entity.ts";

/**
 * After a method was added: turns two-step sign-in on when it was off. Sessions go on.
 * Belongs to the transaction of `em`, in which the user's row is locked; the same goes for all functions here.
 * @returns the recovery codes when it was turned on, else none.
 */
export async function methodAdded(
  context: Context,
  em: EntityManager,
  user: User,
  change: TwoStepChange,
): Promise<string[]> {
  const isFirst = user.twoStepSince === null;
  if (isFirst) {
    user.twoStepSince = context.clock.now();
    await tell(context, em, user, { kind: "on" });
  }
  if (!isFirst || change.kind === "passkey-added") await tell(context, em, user, change);
  return isFirst ? replaceRecoveryCodes(context, em, user) : [];
}

/** After a method was removed: with the last one two-step sign-in is off, and the recovery codes are gone. */
export async function methodRemoved(
  context: Context,
  em: EntityManager,
  user: User,
  change: TwoStepChange,
): Promise<void> {
  await tell(context, em, user, change);
  const { app, passkey } = await methodsOf(em, user.id);
  if (!app && !passkey) await turnOff(context, em, user);
}

/** Removes every method and code, and says so by mail. */
export async function turnOff(context: Context, em: EntityManager, user: User): Promise<void> {
  await eraseTwoStep(em, user);
  await tell(context, em, user, { kind: "off" });
}

/** Removes everything of two-step sign-in from an account, without a word. */
export async function eraseTwoStep(em: EntityManager, user: User): Promise<void> {
  const own = { user: user.id };
  await em.nativeDelete(AuthenticatorApp, own);
  await em.nativeDelete(Passkey, own);
  await em.nativeDelete(RecoveryCode, own);
  await em.nativeDelete(TwoStepChallenge, own);
  user.twoStepSince = null;
}

/** Mails the owner what has changed. */
export async function tell(context: Context, em: EntityManager, user: User, change: TwoStepChange): Promise<void> {
  await sendMail(context, em, {
    template: "two-step-changed",
    to: user.email,
    data: { firstName: user.firstName, at: context.clock.now(), change },
  });
}
