import { randomBytes } from "node:crypto";

/** A new secret as Standard Webhooks write it: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
