import { cleanEmail } from "#schema/clean-text.ts";

/** Free email providers that deliver many addresses to one mailbox. */
const freeEmailProviders = new Set([
  "gmail.com",
  "outlook.com",
  "outlook.com.au",
  "hotmail.com",
  "hotmail.com.au",
  "live.com",
  "live.com.au",
  "msn.com",
  "yahoo.com",
  "yahoo.com.au",
  "icloud.com",
  "proton.me",
]);

/** Main domain of a provider by its other domains, which reach the same mailbox. */
const mainDomains: Readonly<Record<string, string>> = {
  "googlemail.com": "gmail.com",
  "me.com": "icloud.com",
  "mac.com": "icloud.com",
  "protonmail.com": "proton.me",
  "pm.me": "proton.me",
};

/**
 * Normalises an email address to detect a second trial (docs/domain.md#one-trial): lower case, without `+tag`, with the domain
 * in ASCII (`xn--…`), and for large free providers without dots before the @. Never used to send emails.
 */
export function normaliseEmail(email: string): string {
  const [, typedName = "", typedDomain = ""] = /^(.*)@(.*)$/su.exec(cleanEmail(email).toLowerCase()) ?? [];
  const domain = mainDomains[typedDomain] ?? typedDomain;
  const untagged = typedName.replace(/\+.*$/su, "") || typedName;
  const name = freeEmailProviders.has(domain) ? untagged.replaceAll(".", "") || untagged : untagged;
  return `${name}@${domain}`;
}
