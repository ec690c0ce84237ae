import { rememberAcceptedTrial } from "#web/platform/landing.ts";
import { notify } from "#web/platform/notifications.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import type { ConfirmEmailMutationVariables } from "#web/generated/graphql.ts";
import { type SessionOrChallenge, parseSessionOrChallenge } from "#web/access/sessions/sign-in.ts";
import confirmOperation from "operation:ConfirmEmail";
import resendOperation from "operation:ResendConfirmationEmail";

export const INVALID_TOKEN = "Sorry, that email confirmation token is invalid.";

/**
 * Sends a new confirmation link, which cancels the older one, and shows a notification. Returns true if nothing was sent
 * because the address has been confirmed meanwhile, for example on a phone.
 */
export async function resendConfirmation(handle: string): Promise<boolean> {
  try {
    const { isConfirmed } = (await postGraphql(resendOperation, { handle })).resendConfirmationEmail;
    notify.success(
      isConfirmed
        ? "This address is already confirmed."
        : "We have sent the email confirmation link to your email address.",
    );
    return isConfirmed;
  } catch (error) {
    notify.failure(error, "Unable to re-send the confirmation.");
    return false;
  }
}

/** A session or second step, or `confirmed` for a new address of an account whose user isn't signed in. */
export type ConfirmationOutcome = SessionOrChallenge | { kind: "confirmed" };

const pendingCalls = new Map<string, Promise<ConfirmationOutcome>>();

/**
 * Confirms an address with the token from a link. A token can be used once, so concurrent calls with the same token
 * share one request.
 * @param accessToken the token of the current session, which the API then doesn't replace with another user's
 * @throws ServerError BAD_USER_INPUT for an invalid token, or under `password` if the account was registered in another
 * browser; NetworkFailure
 */
export function confirmEmail(confirmationToken: string, accessToken?: string): Promise<ConfirmationOutcome> {
  const pending = pendingCalls.get(confirmationToken);
  if (pending) return pending;
  const call = postConfirmation({ confirmationToken }, accessToken).finally(() =>
    pendingCalls.delete(confirmationToken),
  );
  pendingCalls.set(confirmationToken, call);
  return call;
}

/**
 * Confirms an address, and with `password` sets the account's password.
 * @throws ServerError with `extensions.fields`, NetworkFailure
 */
export async function postConfirmation(
  variables: ConfirmEmailMutationVariables,
  accessToken?: string,
): Promise<ConfirmationOutcome> {
  const data = await postGraphql(confirmOperation, variables, accessToken);
  const { session, secondStep, message, startsTrial } = data.confirmEmail;
  // Remembered here and not at registration, after which somebody else may sign in. A user who is already signed in accepted
  // nothing.
  if (startsTrial && !accessToken) rememberAcceptedTrial();
  if (!session && !secondStep && message) return { kind: "confirmed" };
  return parseSessionOrChallenge(data.confirmEmail);
}
