import { Webhook } from "standardwebhooks";

/**
 * The header `webhook-signature` of Standard Webhooks: a signature over id, time and body for each secret, so that a
 * receiver that has either of them takes it.
 * @param timestamp whole seconds since 1970
 */
export function signWebhook(secrets: readonly string[], id: string, timestamp: number, payload: string): string {
  const at = new Date(timestamp * 1_000);
  return secrets.map((secret) => new Webhook(secret).sign(id, at, payload)).join(" ");
}
