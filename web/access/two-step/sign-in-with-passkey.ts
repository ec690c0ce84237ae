import { postGraphql } from "#web/platform/post-graphql.ts";
import type { SessionTokens } from "#web/platform/session.ts";
import beginOperation from "operation:BeginSignInWithPasskey";
import { PasskeyFailure, requestPasskey } from "./passkey-prompt.ts";
import operation from "operation:SignInWithPasskey";

/**
 * Signs in with a passkey alone, which the browser lets the visitor choose. The caller stores the session.
 * @throws PasskeyFailure with the message to show; ServerError, NetworkFailure
 */
export async function signInWithPasskey(): Promise<SessionTokens> {
  const { beginSignInWithPasskey: begun } = await postGraphql(beginOperation, {});
  const passkey = await requestPasskey(begun.options);
  const { signInWithPasskey: result } = await postGraphql(operation, { input: { passkey } });
  if (!result.session) throw new PasskeyFailure(result.message ?? "");
  return result.session;
}
