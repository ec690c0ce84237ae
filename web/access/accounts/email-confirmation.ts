import { postGraphql } from "#web/platform/post-graphql.ts";
import type {
  ChangeUnconfirmedEmailMutation,
  ChangeUnconfirmedEmailMutationVariables,
  ConfirmEmailMutation,
  ConfirmEmailMutationVariables,
  EmailConfirmationQuery,
  EmailConfirmationQueryVariables,
  ResendConfirmationEmailMutation,
  ResendConfirmationEmailMutationVariables,
} from "#web/generated/graphql.ts";
import { type SessionOrQuestion, sessionOrQuestion } from "#web/access/sessions/session-or-question.ts";
import changeOperation from "./change-unconfirmed-email.graphql?operation";
import confirmOperation from "./confirm-email.graphql?operation";
import checkOperation from "./email-confirmation.graphql?operation";
import resendOperation from "./resend-confirmation-email.graphql?operation";

/** Message for a link or page that is no longer valid. */
export const INVALID_TOKEN = "Sorry, that email confirmation token is invalid.";

/** An address that waits for its confirmation. */
export interface UnconfirmedAddress {
  email: string;
  /** True when an account wants it instead of its present one. */
  isChange: boolean;
}

/**
 * Where the link was sent; null once the address is confirmed.
 * @throws ServerError NOT_FOUND for an unknown handle, NetworkFailure
 */
export async function unconfirmedAddress(handle: string): Promise<UnconfirmedAddress | null> {
  type Variables = EmailConfirmationQueryVariables;
  const { emailConfirmation } = await postGraphql<EmailConfirmationQuery, Variables>(checkOperation, { handle });
  const { email, isChange } = emailConfirmation;
  return email === null || email === undefined ? null : { email, isChange };
}

/** Has a new link mailed; the older one dies. @throws ServerError, NetworkFailure */
export async function resendConfirmation(handle: string): Promise<void> {
  type Variables = ResendConfirmationEmailMutationVariables;
  await postGraphql<ResendConfirmationEmailMutation, Variables>(resendOperation, { handle });
}

/** Gives the registration another address and has the link mailed there. @throws ServerError, NetworkFailure */
export async function changeUnconfirmedEmail(handle: string, email: string): Promise<void> {
  type Variables = ChangeUnconfirmedEmailMutationVariables;
  await postGraphql<ChangeUnconfirmedEmailMutation, Variables>(changeOperation, { handle, input: { email } });
}

const underWay = new Map<string, Promise<SessionOrQuestion>>();

/**
 * Confirms an address by the secret of its mail. A secret works once, so while a call is under way whoever asks
 * again shares it.
 * @throws ServerError BAD_USER_INPUT for a secret that does not work, NetworkFailure
 */
export function confirmEmail(confirmationToken: string): Promise<SessionOrQuestion> {
  const asked = underWay.get(confirmationToken);
  if (asked) return asked;
  const call = postConfirmation(confirmationToken).finally(() => underWay.delete(confirmationToken));
  underWay.set(confirmationToken, call);
  return call;
}

async function postConfirmation(confirmationToken: string): Promise<SessionOrQuestion> {
  type Variables = ConfirmEmailMutationVariables;
  const data = await postGraphql<ConfirmEmailMutation, Variables>(confirmOperation, { confirmationToken });
  return sessionOrQuestion(data.confirmEmail);
}
