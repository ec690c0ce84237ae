/**
 * An address that its owner recognises and a stranger does not learn: `a•••@d•••.test`. Always three dots, so that
 * they do not tell its length.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const ending = domain.slice(domain.lastIndexOf(".") + 1);
  return `${first(email.slice(0, at))}•••@${first(domain)}•••.${ending}`;
}

// A letter beyond the basic plane has two halves.
const first = (text: string) => String.fromCodePoint(text.codePointAt(0) ?? 0x2022);
