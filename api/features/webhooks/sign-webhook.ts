import { createHmac } from "node:crypto";

/**
 * The header `webhook-signature` of Standard Webhooks: HMAC-SHA256 over id, time and body, once for each secret, so that
 * a receiver that has either of them takes it.
 * @param timestamp whole seconds since 1970
 */
export function signWebhook(secrets: readonly string[], id: string, timestamp: number, payload: string): string {
  return secrets
    .map((secret) => createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64")))
    .map((hmac) => `v1,${hmac.update(`${id}.${timestamp}.${payload}`).digest("base64")}`)
    .join(" ");
}
