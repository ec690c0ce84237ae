import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from "@simplewebauthn/server";
import { brand } from "#schema/brand.ts";
import { parseJson } from "#schema/text.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { Passkey } from "./two-step-methods.entity.ts";

/** Ed25519, ES256 and RS256. Every authenticator supports at least one of them. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Returns the host and origin of PUBLIC_URL that passkeys are bound to, regardless of the Host header. */
function getRelyingParty(context: Pick<Context, "config">) {
  const { hostname, origin } = new URL(context.config.publicUrl);
  return { rpID: hostname, origin };
}

type Transports = NonNullable<WebAuthnCredential["transports"]>;
const toDescriptor = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports });

/**
 * Returns the browser's options for requesting one of the user's passkeys and the challenge to sign, or null if the
 * user has no passkey.
 */
export async function createPasskeyRequest(
  context: Context,
  em: EntityManager,
  userId: string,
): Promise<{ challenge: string; options: string } | null> {
  const passkeys = await em.find(Passkey, { user: userId });
  if (passkeys.length === 0) return null;
  const options = await generateAuthenticationOptions({
    rpID: getRelyingParty(context).rpID,
    allowCredentials: passkeys.map(toDescriptor),
    userVerification: "preferred",
  });
  return { challenge: options.challenge, options: JSON.stringify(options) };
}

/**
 * Returns the browser's options for requesting any passkey for this site, as WebAuthn JSON. The device has to check its owner.
 */
export async function createPasskeyRequestForAnyone(context: Context, challenge: string): Promise<string> {
  const { rpID } = getRelyingParty(context);
  return JSON.stringify(await generateAuthenticationOptions({ rpID, challenge, userVerification: "required" }));
}

/** Returns the challenge that a browser's response signed, base64url; null if it can't be read. */
export function readSignedChallenge(answer: string): string | null {
  const { response } = (parseJsonObject(answer) ?? {}) as Partial<AuthenticationResponseJSON>;
  const data = parseJsonObject(Buffer.from(String(response?.clientDataJSON), "base64url").toString());
  const challenge = (data as { challenge?: unknown } | null)?.challenge;
  return typeof challenge === "string" ? challenge : null;
}

/** Returns the passkey that a browser's response names. */
export async function findPasskey(em: EntityManager, answer: string): Promise<Passkey | null> {
  const { id } = (parseJsonObject(answer) ?? {}) as Partial<AuthenticationResponseJSON>;
  return typeof id === "string" ? em.findOne(Passkey, { credentialId: id }) : null;
}

/**
 * Verifies that one of the user's passkeys signed this challenge for this site and that its counter is valid, and
 * records the use. Returns whether it did. Runs in the transaction of `em`.
 * @param values `isOnlyStep` if the device must also have checked its owner
 */
export async function verifyPasskeyResponse(
  context: Context,
  em: EntityManager,
  user: User,
  values: { answer: string; challenge: string | null; isOnlyStep?: boolean },
): Promise<boolean> {
  const response = parseJsonObject(values.answer) as AuthenticationResponseJSON | null;
  if (!response || typeof response.id !== "string" || values.challenge === null) return false;
  const passkey = await em.findOne(Passkey, { user: user.id, credentialId: response.id }, { refresh: true });
  if (!passkey) return false;
  const { rpID, origin } = getRelyingParty(context);
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: values.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: values.isOnlyStep ?? false,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.counter,
      transports: passkey.transports as Transports,
    },
  }).catch(() => null);
  if (!result?.verified) return false;
  const updated = await em.nativeUpdate(
    Passkey,
    { id: passkey.id, counter: passkey.counter },
    { counter: result.authenticationInfo.newCounter, lastUsedAt: context.clock.now() },
  );
  return updated === 1;
}

/** Returns the browser's options for creating a passkey for a user and the challenge to sign. */
export async function createPasskeyRegistration(
  context: Context,
  em: EntityManager,
  user: User,
): Promise<{ challenge: string; options: string }> {
  const passkeys = await em.find(Passkey, { user: user.id });
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: getRelyingParty(context).rpID,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    attestationType: "none",
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map(toDescriptor),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  return { challenge: options.challenge, options: JSON.stringify(options) };
}

/**
 * Verifies a passkey that a browser created for a challenge.
 * @returns the credential to store, or null if the response is invalid.
 */
export async function verifyPasskeyRegistration(
  context: Context,
  values: { answer: string; challenge: string },
): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports"> | null> {
  const response = parseJsonObject(values.answer) as RegistrationResponseJSON | null;
  if (!response) return null;
  const { rpID, origin } = getRelyingParty(context);
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: values.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    supportedAlgorithmIDs,
  }).catch(() => null);
  if (!result?.verified) return null;
  const { id, publicKey, counter, transports } = result.registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter,
    transports: (transports ?? []).filter((one) => typeof one === "string").slice(0, 8),
  };
}

function parseJsonObject(text: string): object | null {
  const value = parseJson(text);
  return typeof value === "object" ? value : null;
}
