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
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { Passkey } from "./passkey.entity.ts";

/** Ed25519, ES256 and RS256, which every authenticator has one of. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Whom a passkey is for: the host and the origin of PUBLIC_URL, whatever the Host header says. */
function relyingParty(context: Pick<Context, "config">) {
  const { hostname, origin } = new URL(context.config.publicUrl);
  return { rpID: hostname, origin };
}

type Transports = NonNullable<WebAuthnCredential["transports"]>;
const descriptorOf = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports });

/** What the browser needs to ask for one of the user's passkeys, and the challenge to be signed; null without any. */
export async function passkeyRequest(
  context: Context,
  em: EntityManager,
  userId: string,
): Promise<{ challenge: string; options: string } | null> {
  const passkeys = await em.find(Passkey, { user: userId });
  if (passkeys.length === 0) return null;
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(context).rpID,
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: "preferred",
  });
  return { challenge: options.challenge, options: JSON.stringify(options) };
}

/**
 * Whether a browser's answer is a passkey of this user signing this challenge for this site, with a counter that has
 * gone on; notes its use. Belongs to the transaction of `em`.
 */
export async function isPasskeyAnswer(
  context: Context,
  em: EntityManager,
  user: User,
  values: { answer: string; challenge: string | null },
): Promise<boolean> {
  const response = jsonObject(values.answer) as AuthenticationResponseJSON | null;
  if (!response || typeof response.id !== "string" || values.challenge === null) return false;
  const passkey = await em.findOne(Passkey, { user: user.id, credentialId: response.id }, { refresh: true });
  if (!passkey) return false;
  const { rpID, origin } = relyingParty(context);
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: values.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.counter,
      transports: passkey.transports as Transports,
    },
  }).catch(() => null);
  if (!result?.verified) return false;
  const noted = await em.nativeUpdate(
    Passkey,
    { id: passkey.id, counter: passkey.counter },
    { counter: result.authenticationInfo.newCounter, lastUsedAt: context.clock.now() },
  );
  return noted === 1;
}

/** What the browser needs to make a passkey for this user, and the challenge to be signed. */
export async function newPasskeyRequest(
  context: Context,
  em: EntityManager,
  user: User,
): Promise<{ challenge: string; options: string }> {
  const passkeys = await em.find(Passkey, { user: user.id });
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: relyingParty(context).rpID,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    attestationType: "none",
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  return { challenge: options.challenge, options: JSON.stringify(options) };
}

/** The passkey that a browser made for this challenge and this site, as it is stored; null when it proves nothing. */
export async function passkeyMade(
  context: Context,
  values: { answer: string; challenge: string },
): Promise<Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports"> | null> {
  const response = jsonObject(values.answer) as RegistrationResponseJSON | null;
  if (!response) return null;
  const { rpID, origin } = relyingParty(context);
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

function jsonObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}
