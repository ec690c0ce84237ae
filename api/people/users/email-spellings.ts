import { domainToUnicode } from "node:url";

/** Lists an address, and with an international domain also what was stored before domains were written in ASCII (decision 0268). */
export function listEmailSpellings(email: string): string[] {
  const [, name = "", domain = ""] = /^(.*@)(.*)$/su.exec(email) ?? [];
  return [email, `${name}${domainToUnicode(domain)}`];
}
