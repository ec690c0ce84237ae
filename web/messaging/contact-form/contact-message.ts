import type { ContactFormValues } from "#schema/contact-form.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { type Claims, getSession } from "#web/platform/session.ts";
import senderOperation from "operation:ContactSender";
import sendOperation from "operation:SendContactMessage";

/** Sender details that prefill the form. */
export interface Sender {
  name: string;
  email: string;
  phone: string;
}

/** Returns the full name, or only the first name if the full name is too long for the form. */
function formatName(firstName: string, lastName: string): string {
  const fullName = `${firstName} ${lastName}`.trim();
  return fullName.length > 30 ? firstName : fullName;
}

/** Returns the sender's details from the session, empty for a visitor. */
export function getSessionSender(claims: Claims | undefined): Sender {
  if (!claims) return { name: "", email: "", phone: "" };
  return { name: formatName(claims.givenName, claims.familyName), email: claims.email, phone: "" };
}

/**
 * Returns the access token of the session. The session code loads only for signed-in users, because most senders are
 * visitors.
 */
async function accessToken(): Promise<string | null> {
  return getSession() ? (await import("#web/platform/refresh-session.ts")).getAccessToken(true) : null;
}

/** Returns the signed-in user's profile, or null if it can't be loaded, in which case the form works without it. */
export async function fetchSender(): Promise<Sender | null> {
  try {
    const token = await accessToken();
    if (!token) return null;
    const { me } = await postGraphql(senderOperation, {}, token);
    return { name: formatName(me.firstName, me.lastName), email: me.email, phone: me.mobile };
  } catch {
    return null;
  }
}

/**
 * Sends a message to the vendor.
 * @returns the confirmation for the sender
 * @throws ServerError with `extensions.fields` for the form, NetworkFailure
 */
export async function sendContactMessage(input: ContactFormValues): Promise<string> {
  const token = (await accessToken()) ?? undefined;
  const data = await postGraphql(sendOperation, { input }, token);
  return data.sendContactMessage.message;
}
