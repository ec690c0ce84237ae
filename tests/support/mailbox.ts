import type { FilterQuery } from "@mikro-orm/core";
import { openEmail } from "#api/dev/mailbox-page.tsx";
import { Email } from "#api/messaging/emails/email.entity.ts";
import type { TestApp } from "./test-app.ts";

/** Returns the emails to an address, newest first. */
export const listEmailsTo = (test: TestApp, to: string): Promise<Email[]> => findEmails(test, { to: { $ilike: to } });

/** Returns the emails that match, newest first and with readable bodies. */
export async function findEmails(test: TestApp, where: FilterQuery<Email> = {}): Promise<Email[]> {
  const found = await test.services.orm.em.fork().find(Email, where, { orderBy: { createdAt: "desc", id: "desc" } });
  return found.map((email) => openEmail(test.services.encryptionKeys, email));
}

/**
 * Returns the secret of the link in the newest email to an address.
 * @throws Error if the email has no link
 */
export async function findEmailedSecret(test: TestApp, to: string): Promise<string> {
  const [newest] = await listEmailsTo(test, to);
  const secret = /\?t=([\w-]+)/.exec(newest?.text ?? "")?.[1];
  if (!secret) throw new Error(`the newest email to ${to} has no link`);
  return secret;
}
