import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { IdentityProofValues } from "#schema/rules/two-step.ts";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { openSecret, sealSecret } from "#api/platform/sealed-secrets.ts";
import { sessionOf } from "#api/platform/token-scopes.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { User } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp } from "./authenticator-app.entity.ts";
import { askSession, takeSessionChallenge } from "./challenges.ts";
import { Passkey } from "./passkey.entity.ts";
import { newPasskeyRequest, passkeyMade } from "./passkeys.ts";
import { actorOf, changeAfterProof } from "./prove-identity.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { limitGuesses, WRONG_CODE } from "./second-factor.ts";
import { appSetUpUri, newAppSecret, timeStepOfCode } from "./totp.ts";
import { methodAdded, methodRemoved, tell, turnOff } from "./turn-on-and-off.ts";

/** Time to get the app and type its first code. */
const SET_UP_MS = 15 * MINUTE;
/** More than anybody can tell apart. */
const MOST_PASSKEYS = 20;

/**
 * Begins an authenticator app: a new secret, which counts from its first code on. An app that is in use stays until
 * then.
 * @throws AppError of {@link changeAfterProof}.
 */
export async function beginAuthenticatorApp(
  context: Context,
  proof: IdentityProofValues,
): Promise<{ secret: string; uri: string }> {
  return changeAfterProof(context, proof, async (em, user) => {
    const app = (await em.findOne(AuthenticatorApp, { user: user.id })) ?? em.create(AuthenticatorApp, { user });
    const secret = newAppSecret();
    app.pendingSecret = sealSecret(context.keys, secret, user.id);
    app.pendingUntil = after(context.clock.now(), SET_UP_MS);
    return { secret, uri: appSetUpUri(secret, user.email) };
  });
}

/**
 * Ends the set-up of an app by its first code; turns two-step sign-in on when this is the first method.
 * @returns the recovery codes when it was turned on, else none.
 * @throws AppError BAD_USER_INPUT under `code`; RATE_LIMITED; UNAUTHENTICATED.
 */
export async function confirmAuthenticatorApp(context: Context, code: string): Promise<string[]> {
  const { userId } = actorOf(context);
  let codes: string[] = [];
  const right = await limitGuesses(context, userId, () =>
    inTransaction(context, async (em) => {
      const user = await lockUser(em, userId);
      const app = await em.findOne(AuthenticatorApp, { user: userId });
      if (!app?.pendingSecret || !app.pendingUntil || app.pendingUntil <= context.clock.now())
        throw badInput({ code: ["This set-up has expired. Please begin again."] });
      const secret = openSecret(context.keys, app.pendingSecret, userId) ?? "";
      const timeStep = secret && timeStepOfCode(secret, code.replace(/\s/g, ""), context.clock.now());
      if (typeof timeStep !== "number") return false;
      Object.assign(app, {
        secret: app.pendingSecret,
        addedAt: context.clock.now(),
        lastTimeStep: timeStep,
        pendingSecret: null,
        pendingUntil: null,
      } satisfies Partial<AuthenticatorApp>);
      codes = await methodAdded(context, em, user, { kind: "app-added" });
      return true;
    }),
  );
  if (!right) throw badInput({ code: [WRONG_CODE] });
  return codes;
}

/** Removes the app. @throws AppError of {@link changeAfterProof}, NOT_FOUND without one. */
export async function removeAuthenticatorApp(context: Context, proof: IdentityProofValues): Promise<void> {
  await changeAfterProof(context, proof, async (em, user) => {
    if ((await em.nativeDelete(AuthenticatorApp, { user: user.id, secret: { $ne: null } })) === 0) throw notFound();
    await methodRemoved(context, em, user, { kind: "app-removed" });
  });
}

/**
 * Begins a passkey: what the browser needs to make one, as WebAuthn's JSON.
 * @throws AppError of {@link changeAfterProof}.
 */
export async function beginPasskey(context: Context, proof: IdentityProofValues): Promise<string> {
  const { userId, sessionId } = sessionOf(context);
  const { challenge, options } = await changeAfterProof(context, proof, (em, user) =>
    newPasskeyRequest(context, em, user),
  );
  await askSession(context, { userId, sessionId, purpose: "add-passkey", passkeyChallenge: challenge });
  return options;
}

/**
 * Ends what {@link beginPasskey} began, with the browser's answer; turns two-step sign-in on when it is the first
 * method.
 * @returns the recovery codes when it was turned on, else none.
 * @throws AppError BAD_USER_INPUT under `passkey`; CONFLICT beyond 20; UNAUTHENTICATED.
 */
export async function addPasskey(context: Context, values: { name: string; passkey: string }): Promise<string[]> {
  const { userId, sessionId } = sessionOf(context);
  const refused = () => badInput({ passkey: ["The passkey could not be added. Please begin again."] });
  const challenge = await takeSessionChallenge(context, sessionId, "add-passkey");
  const made = challenge && (await passkeyMade(context, { answer: values.passkey, challenge }));
  if (!made) throw refused();
  try {
    return await inTransaction(context, async (em) => {
      const user = await lockUser(em, userId);
      if ((await em.count(Passkey, { user: userId })) >= MOST_PASSKEYS)
        throw new AppError("CONFLICT", { message: `An account may have ${MOST_PASSKEYS} passkeys. Remove one first.` });
      em.create(Passkey, { user, ...made, name: values.name, addedAt: context.clock.now() });
      await em.flush();
      return methodAdded(context, em, user, { kind: "passkey-added", name: values.name });
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw refused();
    throw error;
  }
}

/** Removes one of the caller's passkeys. @throws AppError of {@link changeAfterProof}, NOT_FOUND alike for foreign ones. */
export async function removePasskey(context: Context, id: string, proof: IdentityProofValues): Promise<void> {
  await changeAfterProof(context, proof, async (em, user) => {
    const passkey = isUuid(id) ? await em.findOne(Passkey, { id, user: user.id }) : null;
    if (!passkey) throw notFound();
    await em.nativeDelete(Passkey, { id });
    await methodRemoved(context, em, user, { kind: "passkey-removed", name: passkey.name });
  });
}

/** Ten new recovery codes in place of the older ones. @throws AppError of {@link changeAfterProof}, NOT_FOUND while off. */
export async function renewRecoveryCodes(context: Context, proof: IdentityProofValues): Promise<string[]> {
  return changeAfterProof(context, proof, async (em, user) => {
    if (!user.twoStepSince) throw notFound();
    await tell(context, em, user, { kind: "recovery-codes-renewed" });
    return replaceRecoveryCodes(context, em, user);
  });
}

/** Turns two-step sign-in off with all its methods and codes. @throws AppError of {@link changeAfterProof}. */
export async function turnOffTwoStep(context: Context, proof: IdentityProofValues): Promise<void> {
  await changeAfterProof(context, proof, async (em, user) => {
    if (user.twoStepSince) await turnOff(context, em, user);
  });
}

function lockUser(em: EntityManager, userId: string): Promise<User> {
  return em.findOneOrFail(User, userId, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
