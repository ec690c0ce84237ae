import type { ContactFormValues } from "#schema/rules/contact-form.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { type Claims, currentSession } from "#web/platform/session.ts";
import type {
  ContactSenderQuery,
  SendContactMessageMutation,
  SendContactMessageMutationVariables,
} from "#web/generated/graphql.ts";
import senderOperation from "./contact-sender.graphql?operation";
import sendOperation from "./send-contact-message.graphql?operation";

/** What the form knows of the person beforehand. */
export interface Sender {
  name: string;
  email: string;
  phone: string;
}

/** First and last name, or the first alone where both are longer than the form takes. */
function nameOf(firstName: string, lastName: string): string {
  const whole = `${firstName} ${lastName}`.trim();
  return whole.length > 30 ? firstName : whole;
}

/** The signed-in person as the session names them, at once; nothing for a visitor. */
export function senderOf(claims: Claims | undefined): Sender {
  if (!claims) return { name: "", email: "", phone: "" };
  return { name: nameOf(claims.givenName, claims.familyName), email: claims.email, phone: "" };
}

/** What renews a session loads for those who have one; most who write have none. */
async function accessToken(): Promise<string | null> {
  return currentSession() ? (await import("#web/platform/refresh-session.ts")).accessToken() : null;
}

/** The signed-in person's profile; null when it cannot be had, which the form does without. */
export async function fetchSender(): Promise<Sender | null> {
  try {
    const token = await accessToken();
    if (!token) return null;
    const { me } = await postGraphql<ContactSenderQuery>(senderOperation, {}, token);
    return { name: nameOf(me.firstName, me.lastName), email: me.email, phone: me.mobile };
  } catch {
    return null;
  }
}

/**
 * Sends a message to the vendor.
 * @returns the sentence for the sender
 * @throws ServerError with `extensions.fields` for the form, NetworkFailure
 */
export async function sendContactMessage(input: ContactFormValues): Promise<string> {
  type Variables = SendContactMessageMutationVariables;
  const token = (await accessToken()) ?? undefined;
  const data = await postGraphql<SendContactMessageMutation, Variables>(sendOperation, { input }, token);
  return data.sendContactMessage;
}
