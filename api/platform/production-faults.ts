import { isDatabaseUrl } from "./database/database-hosts.ts";
import { isDatabaseEncrypted, isSmtpEncrypted } from "./database/encrypted-connections.ts";

/** Shortest webhook secret accepted in production. A shorter one could be guessed, and notices forged with it. */
const MIN_WEBHOOK_SECRET = 32;

/** The settings that production restricts, as given. The URL of the SMTP server is null if it is malformed. */
export interface RestrictedSettings {
  readonly databaseUrls: readonly (readonly [name: string, value: string | null])[];
  readonly smtpUrl: string | null;
  readonly stripeKeys: readonly (readonly [name: string, value: string | null])[];
  readonly webhookSecret: string | null;
}

/** Returns a sentence for each setting that is valid but unsafe in production, with its fix. */
export function findUnsafeSettings({ databaseUrls, smtpUrl, stripeKeys, webhookSecret }: RestrictedSettings): string[] {
  const faults: string[] = [];
  for (const [name, value] of databaseUrls)
    if (value && isDatabaseUrl(value) && !isDatabaseEncrypted(value))
      faults.push(
        `${name} must use TLS in production unless the database is on this machine. Add ?sslmode=verify-full, and &sslrootcert=FILE for a private certificate authority.`,
      );
  if (smtpUrl && !isSmtpEncrypted(smtpUrl))
    faults.push(
      "SMTP_URL must use TLS in production, and verify the certificate, unless the server is on this machine. Use smtps://, or add ?requireTLS=true for STARTTLS, and name a private certificate authority in NODE_EXTRA_CA_CERTS.",
    );
  for (const [name, value] of stripeKeys)
    if (value && /^[prs]k_test_/u.test(value))
      faults.push(`${name} is a test key, which takes no real payments. Set the live key in production.`);
  if (webhookSecret && webhookSecret.length < MIN_WEBHOOK_SECRET)
    faults.push(
      `STRIPE_WEBHOOK_SECRET must have at least ${MIN_WEBHOOK_SECRET} characters in production. Copy the signing secret (whsec_…) of the webhook from the payment provider.`,
    );
  return faults;
}
