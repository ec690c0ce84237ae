import { Mail } from "#api/messaging/mails/mail.entity.ts";
import type { TestApp } from "./test-app.ts";

/** Mails to an address, newest first. */
export function mailsTo(test: TestApp, to: string): Promise<Mail[]> {
  return test.services.orm.em.fork().find(Mail, { to: { $ilike: to } }, { orderBy: { createdAt: "desc", id: "desc" } });
}

/** The secret of the newest mail's link to an address; throws when there is none. */
export async function secretMailedTo(test: TestApp, to: string): Promise<string> {
  const [newest] = await mailsTo(test, to);
  const secret = /\?t=([\w-]+)/.exec(newest?.text ?? "")?.[1];
  if (!secret) throw new Error(`no link was mailed to ${to}`);
  return secret;
}
