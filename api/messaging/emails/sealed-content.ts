import type { EncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { openSecret, createResealSweep, type SealedColumn, sealSecret } from "#api/platform/keys/sealed-secrets.ts";
import type { Email } from "./email.entity.ts";
import type { EmailTemplate } from "./template.tsx";

/** The two bodies of an email. */
export interface EmailContent {
  readonly text: string;
  readonly html: string;
}

/** Replaces a body that contained a link or code after the email was delivered. */
const REMOVED = "The content was removed after delivery.";

const sealed = /^v2\.[\w-]+\.[\w-]+$/;

/** Returns whether an email contains a secret: the link of an email token, a licence code or a move code. */
export function hasSecret({ hasCode }: Pick<EmailTemplate<never>, "hasCode">, { text }: EmailContent): boolean {
  return hasCode === true || text.includes("?t=");
}

/** Encrypts the bodies of an email for the outbox. Only the email with this id can contain them. */
export function sealContent(keys: Pick<EncryptionKeys, "current">, id: string, content: EmailContent): EmailContent {
  return { text: sealSecret(keys, content.text, id), html: sealSecret(keys, content.html, id) };
}

/** Returns the readable bodies of an email, or null if the key that encrypted them is gone. */
export function openContent(
  keys: Pick<EncryptionKeys, "all" | "derived">,
  { id, containsSecret, text, html }: Pick<Email, "id" | "containsSecret" | "text" | "html">,
): EmailContent | null {
  // Emails written before version 0074 of the database are not encrypted.
  if (!containsSecret || !sealed.test(text)) return { text, html };
  const content = { text: openSecret(keys, text, id), html: openSecret(keys, html, id) };
  return content.text === null || content.html === null ? null : { text: content.text, html: content.html };
}

/** Removes the bodies of a delivered email that contained a secret. */
export function removeSecretContent(email: Email): void {
  if (email.containsSecret) Object.assign(email, { text: REMOVED, html: REMOVED });
}

/** Columns with the encrypted bodies of emails that wait to be sent. */
export const emailContentColumns: readonly SealedColumn[] = ["text", "html"].map((column) => ({
  table: "mails",
  column,
  boundTo: "id",
  where: "contains_secret and sent_at is null and refused_at is null and text like 'v2.%'",
}));

/** Encrypts waiting emails again with the current encryption key, so that the other keys can be removed. */
export const resealEmails = createResealSweep("reseal-emails", emailContentColumns);
