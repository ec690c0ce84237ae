/** Mailers that hand out many addresses for one mailbox, or one person, for nothing. */
const bigFreeMailers = new Set([
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

/** Domains under which the same mailbox is reached. */
const sameMailbox: Readonly<Record<string, string>> = {
  "googlemail.com": "gmail.com",
  "me.com": "icloud.com",
  "mac.com": "icloud.com",
  "protonmail.com": "proton.me",
  "pm.me": "proton.me",
};

/**
 * Normalizes an email address for 'one trial per person' (docs/domain.md#one-trial): lower case,
 * without `+tag`, and without dots before the @ at the big free mailers. Never used to send mail.
 */
export function normaliseEmail(email: string): string {
  const [, typedName = "", typedDomain = ""] = /^(.*)@(.*)$/su.exec(email.trim().toLowerCase()) ?? [];
  const domain = sameMailbox[typedDomain] ?? typedDomain;
  const untagged = typedName.replace(/\+.*$/su, "") || typedName;
  const name = bigFreeMailers.has(domain) ? untagged.replaceAll(".", "") || untagged : untagged;
  return `${name}@${domain}`;
}
