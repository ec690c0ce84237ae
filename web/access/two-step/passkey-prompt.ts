import { ServerError } from "#web/platform/server-error.ts";

const CANCELLED = "No passkey was used. Try again, or use another method.";
const ALREADY_REGISTERED = "This passkey is already registered with your account.";
const UNSUPPORTED = "This browser doesn't support passkeys. Use a newer browser or another method.";

/**
 * Requests one of the account's passkeys through the browser's own dialog.
 * @returns the response for the API, as JSON.
 * @throws ServerError with the message to show
 */
export async function requestPasskey(options: string): Promise<string> {
  const { browserSupportsWebAuthn, startAuthentication } = await import("@simplewebauthn/browser");
  if (!browserSupportsWebAuthn()) throw new ServerError([{ message: UNSUPPORTED }]);
  return runPrompt(() => startAuthentication({ optionsJSON: JSON.parse(options) as never }));
}

/** Creates a passkey through the browser's own dialog. Returns and throws as {@link requestPasskey} does. */
export async function createPasskey(options: string): Promise<string> {
  const { browserSupportsWebAuthn, startRegistration } = await import("@simplewebauthn/browser");
  if (!browserSupportsWebAuthn()) throw new ServerError([{ message: UNSUPPORTED }]);
  return runPrompt(() => startRegistration({ optionsJSON: JSON.parse(options) as never }));
}

async function runPrompt(prompt: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await prompt());
  } catch (cause) {
    const names = [cause, (cause as { cause?: unknown }).cause].map((error) => (error as Error | undefined)?.name);
    const message = names.includes("InvalidStateError") ? ALREADY_REGISTERED : CANCELLED;
    throw new ServerError([{ message }], { cause });
  }
}
