import { expect } from "vitest";
import { builtIn } from "#api/platform/brand-file.ts";

const { name, productName, company, mailboxes, sender, networkUrl, videoSiteUrl } = builtIn;

/** Texts by which customers would recognise the built-in company. */
const traces: readonly string[] = [
  name,
  productName,
  company.legalName,
  company.address,
  company.bank.accountNumber,
  networkUrl,
  videoSiteUrl,
  sender.email,
  ...Object.values(mailboxes).map(({ email }) => email),
];

/** Checks that a text with another brand doesn't show the built-in company. */
export function expectNoBuiltInCompany(text: string, what: string): void {
  const plain = text.replaceAll(/\s+/g, " ").toLowerCase();
  const found = traces.filter((trace) => plain.includes(trace.toLowerCase()));
  expect(found, what).toEqual([]);
}
