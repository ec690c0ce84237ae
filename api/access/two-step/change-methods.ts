import type { IdentityProofValues } from "#schema/account.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { getRow, inTransaction, inUniqueTransaction } from "#api/platform/database/database.ts";
import { badInput, conflict, notFound } from "#api/platform/errors.ts";
import { openSecret, sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import { requireSession } from "#api/platform/graphql/token-scopes.ts";
import { lockCaller } from "#api/people/users/user.entity.ts";
import { AuthenticatorApp, Passkey } from "./two-step-methods.entity.ts";
import { createSessionChallenge, consumeSessionChallenge } from "./challenges.ts";
import { createPasskeyRegistration, verifyPasskeyRegistration } from "./passkeys.ts";
import { changeWithProof } from "./prove-identity.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { limitGuesses, WRONG_CODE } from "./second-factor.ts";
import { buildAppSetupUri, generateAppSecret, findTimeStep, joinCode } from "./totp.ts";
import {
  completeMethodAddition,
  completeMethodRemoval,
  notifyTwoStepChange,
  turnOffAndNotify,
} from "./method-changes.ts";

/** Time that users have to install the app and enter its first code, in milliseconds. */
const SETUP_MS = 15 * MINUTE;
/** Maximum number of passkeys per account. */
const MAX_PASSKEYS = 20;

/**
 * Starts the setup of an authenticator app with a new secret. An app that is already in use stays active until the new
 * one's first code is confirmed.
 * @throws AppError as {@link changeWithProof} does.
 */
export async function beginAuthenticatorApp(
  context: Context,
  proof: IdentityProofValues,
): Promise<{ secret: string; uri: string }> {
  return changeWithProof(context, proof, async (em, user) => {
    const app = (await em.findOne(AuthenticatorApp, { user: user.id })) ?? em.create(AuthenticatorApp, { user });
    const secret = generateAppSecret();
    app.pendingSecret = sealSecret(context.encryptionKeys, secret, user.id);
    app.pendingUntil = addMilliseconds(context.clock.now(), SETUP_MS);
    return { secret, uri: buildAppSetupUri(secret, user.email) };
  });
}

/**
 * Completes the setup of an app with its first code. Turns two-step sign-in on if this is the first method.
 * @returns the recovery codes if two-step sign-in was turned on, otherwise an empty array.
 * @throws AppError BAD_USER_INPUT under `code`; RATE_LIMITED; UNAUTHENTICATED.
 */
export async function confirmAuthenticatorApp(context: Context, code: string): Promise<string[]> {
  const { userId } = requireActor(context);
  let codes: string[] = [];
  const isRight = await limitGuesses(context, userId, () =>
    inTransaction(context, async (em) => {
      const user = await lockCaller(context, em);
      const app = await em.findOne(AuthenticatorApp, { user: userId });
      if (!app?.pendingSecret || !app.pendingUntil || app.pendingUntil <= context.clock.now())
        throw badInput({ code: ["This setup has expired. Start again."] });
      const secret = openSecret(context.encryptionKeys, app.pendingSecret, userId) ?? "";
      const timeStep = secret && findTimeStep(secret, joinCode(code), context.clock.now());
      if (typeof timeStep !== "number") return false;
      Object.assign(app, {
        secret: app.pendingSecret,
        addedAt: context.clock.now(),
        lastTimeStep: timeStep,
        pendingSecret: null,
        pendingUntil: null,
      } satisfies Partial<AuthenticatorApp>);
      codes = await completeMethodAddition(context, em, user, { kind: "app-added" });
      return true;
    }),
  );
  if (!isRight) throw badInput({ code: [WRONG_CODE] });
  return codes;
}

/**
 * Removes the authenticator app.
 * @throws AppError as {@link changeWithProof} does; NOT_FOUND if there is no app.
 */
export async function removeAuthenticatorApp(context: Context, proof: IdentityProofValues): Promise<void> {
  await changeWithProof(context, proof, async (em, user) => {
    if ((await em.nativeDelete(AuthenticatorApp, { user: user.id, secret: { $ne: null } })) === 0) throw notFound();
    await completeMethodRemoval(context, em, user, { kind: "app-removed" });
  });
}

/**
 * Starts adding a passkey.
 * @returns the browser's options for creating a passkey, as WebAuthn JSON.
 * @throws AppError as {@link changeWithProof} does.
 */
export async function beginPasskey(context: Context, proof: IdentityProofValues): Promise<string> {
  const { userId, sessionId } = requireSession(context);
  const { challenge, options } = await changeWithProof(context, proof, (em, user) =>
    createPasskeyRegistration(context, em, user),
  );
  await createSessionChallenge(context, { userId, sessionId, purpose: "add-passkey", passkeyChallenge: challenge });
  return options;
}

/**
 * Adds the passkey that the browser created after {@link beginPasskey}. Turns two-step sign-in on if this is the first
 * method.
 * @returns the recovery codes if two-step sign-in was turned on, otherwise an empty array.
 * @throws AppError BAD_USER_INPUT under `passkey`; CONFLICT if the account has 20 passkeys; UNAUTHENTICATED.
 */
export async function addPasskey(context: Context, values: { name: string; passkey: string }): Promise<string[]> {
  const { userId, sessionId } = requireSession(context);
  const passkeyError = () => badInput({ passkey: ["We couldn't add the passkey. Start again."] });
  const challenge = await consumeSessionChallenge(context, sessionId, "add-passkey");
  const credential = challenge && (await verifyPasskeyRegistration(context, { answer: values.passkey, challenge }));
  if (!credential) throw passkeyError();
  return inUniqueTransaction(context, passkeyError, async (em) => {
    const user = await lockCaller(context, em);
    if ((await em.count(Passkey, { user: userId })) >= MAX_PASSKEYS)
      throw conflict(`You have reached the limit of ${MAX_PASSKEYS} passkeys. Remove one first.`);
    em.create(Passkey, { user, ...credential, name: values.name, addedAt: context.clock.now() });
    await em.flush();
    return completeMethodAddition(context, em, user, { kind: "passkey-added", name: values.name });
  });
}

/**
 * Removes one of the caller's passkeys.
 * @throws AppError as {@link changeWithProof} does; NOT_FOUND for unknown and other users' passkeys alike.
 */
export async function removePasskey(context: Context, id: string, proof: IdentityProofValues): Promise<void> {
  await changeWithProof(context, proof, async (em, user) => {
    const passkey = await getRow(em, Passkey, { id, user: user.id });
    await em.nativeDelete(Passkey, { id });
    await completeMethodRemoval(context, em, user, { kind: "passkey-removed", name: passkey.name });
  });
}

/**
 * Replaces all recovery codes with ten new ones.
 * @throws AppError as {@link changeWithProof} does; NOT_FOUND if two-step sign-in is off.
 */
export async function renewRecoveryCodes(context: Context, proof: IdentityProofValues): Promise<string[]> {
  return changeWithProof(context, proof, async (em, user) => {
    if (!user.twoStepSince) throw notFound();
    await notifyTwoStepChange(context, em, user, { kind: "recovery-codes-renewed" });
    return replaceRecoveryCodes(context, em, user);
  });
}

/**
 * Turns two-step sign-in off and deletes all methods and codes.
 * @throws AppError as {@link changeWithProof} does.
 */
export async function turnOffTwoStep(context: Context, proof: IdentityProofValues): Promise<void> {
  await changeWithProof(context, proof, async (em, user) => {
    if (user.twoStepSince) await turnOffAndNotify(context, em, user);
  });
}
