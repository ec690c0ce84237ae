/** Why no passkey answered, in words for the person. */
export class PasskeyFailure extends Error {
  override readonly name = "PasskeyFailure";
}

const CANCELLED = "No passkey was used. You can try again, or choose another way.";
const KNOWN_ALREADY = "This passkey belongs to your account already.";
const NOT_HERE = "This browser has no passkeys. Please use a newer one, or choose another way.";

/**
 * Asks for one of the account's passkeys; the browser shows its own dialog.
 * @returns the answer for the api, as JSON.
 * @throws PasskeyFailure with the sentence to show
 */
export async function askForPasskey(options: string): Promise<string> {
  const { browserSupportsWebAuthn, startAuthentication } = await import("@simplewebauthn/browser");
  if (!browserSupportsWebAuthn()) throw new PasskeyFailure(NOT_HERE);
  return answerOf(() => startAuthentication({ optionsJSON: JSON.parse(options) as never }));
}

/** Has a passkey made; otherwise as {@link askForPasskey}. */
export async function makePasskey(options: string): Promise<string> {
  const { browserSupportsWebAuthn, startRegistration } = await import("@simplewebauthn/browser");
  if (!browserSupportsWebAuthn()) throw new PasskeyFailure(NOT_HERE);
  return answerOf(() => startRegistration({ optionsJSON: JSON.parse(options) as never }));
}

async function answerOf(ask: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await ask());
  } catch (cause) {
    const names = [cause, (cause as { cause?: unknown }).cause].map((one) => (one as Error | undefined)?.name);
    throw new PasskeyFailure(names.includes("InvalidStateError") ? KNOWN_ALREADY : CANCELLED, { cause });
  }
}
