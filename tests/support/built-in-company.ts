import { expect } from "vitest";
import { builtIn } from "#api/platform/brand-file.ts";

const { name, productName, company, mailboxes, sender, networkUrl, videoSiteUrl } = builtIn;

const { legalName, address, bank } = company;
const emails = [sender, ...Object.values(mailboxes)].map(({ email }) => email);
/** Texts by which customers would recognise the built-in company. */
const traces = [name, productName, legalName, address, bank.accountNumber, networkUrl, videoSiteUrl, ...emails];

/** Checks that a text with another brand doesn't show the built-in company. */
export function expectNoBuiltInCompany(text: string, what: string): void {
  const plain = text.replaceAll(/\s+/g, " ").toLowerCase();
  const found = traces.filter((trace) => plain.includes(trace.toLowerCase()));
  expect(found, what).toEqual([]);
}
