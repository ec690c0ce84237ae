import type {
  BeginSignInWithPasskeyMutation,
  SignInWithPasskeyMutation,
  SignInWithPasskeyMutationVariables,
} from "#web/generated/graphql.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import type { SessionTokens } from "#web/platform/session.ts";
import beginOperation from "./begin-sign-in-with-passkey.graphql?operation";
import { PasskeyFailure, requestPasskey } from "./passkey-prompt.ts";
import operation from "./sign-in-with-passkey.graphql?operation";

/**
 * Signs in with a passkey alone, which the browser lets the visitor choose. The caller stores the session.
 * @throws PasskeyFailure with the message to show; ServerError, NetworkFailure
 */
export async function signInWithPasskey(): Promise<SessionTokens> {
  const { beginSignInWithPasskey: begun } = await postGraphql<BeginSignInWithPasskeyMutation>(beginOperation, {});
  const passkey = await requestPasskey(begun.options);
  const { signInWithPasskey: result } = await postGraphql<
    SignInWithPasskeyMutation,
    SignInWithPasskeyMutationVariables
  >(operation, { input: { passkey } });
  if (!result.session) throw new PasskeyFailure(result.message ?? "");
  return result.session;
}
