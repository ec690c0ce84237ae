import { Email } from "#api/messaging/emails/email.entity.ts";
import type { TestApp } from "./test-app.ts";

/** Returns the emails to an address, newest first. */
export function listEmailsTo(test: TestApp, to: string): Promise<Email[]> {
  return test.services.orm.em
    .fork()
    .find(Email, { to: { $ilike: to } }, { orderBy: { createdAt: "desc", id: "desc" } });
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
