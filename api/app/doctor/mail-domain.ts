import { Resolver } from "node:dns/promises";
import { brand } from "#schema/brand.ts";
import { SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { failed, ok, type Result, warning } from "./result.ts";

/** Looks up text records, as `Resolver` of `node:dns` does. */
type TextRecords = Pick<Resolver, "resolveTxt">;

/** Thrown if DNS gives no answer. A domain without records isn't that. */
class NoAnswer extends Error {}

/**
 * Checks the DNS records by which other mail servers recognise emails of the sender's domain: SPF, DKIM and DMARC. Ends within
 * 6 seconds where DNS can't be reached.
 */
export async function checkMailDomain(
  { smtpUrl, production, operations }: Pick<Config, "smtpUrl" | "production" | "operations">,
  records: TextRecords = new Resolver({ timeout: 2 * SECOND, tries: 2 }),
): Promise<Result> {
  if (!smtpUrl || !production) return ok("checked in production only");
  const domain = brand.sender.email.split("@")[1] ?? "";
  try {
    const [spf, dmarc, ...dkim] = await Promise.all([
      checkSpf(records, domain),
      checkDmarc(records, domain),
      ...operations.dkimSelectors.map(async (selector) => checkDkim(records, domain, selector)),
    ]);
    const all = [spf, dmarc, ...(dkim.length > 0 ? dkim : [unknownSelectors])];
    const wrong = all.filter(({ state }) => state !== "ok");
    if (wrong.length === 0) return ok(`${domain}: ${all.map(({ message }) => message).join(", ")}`);
    const message = wrong.map((one) => one.message).join(" ");
    const fix = wrong.map((one) => one.fix).join(" ");
    return wrong.some(({ state }) => state === "failed") ? failed(message, fix) : warning(message, fix);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return warning(
      `DNS didn't answer (${error.message}), so SPF, DKIM and DMARC of ${domain} aren't known.`,
      `Correct the machine's DNS, or look elsewhere: dig +short TXT ${domain}`,
    );
  }
}

const unknownSelectors = warning(
  "DKIM isn't checked, because DKIM_SELECTORS isn't set.",
  "Set it to the selectors of your SMTP provider, such as s1,s2.",
);

async function checkSpf(records: TextRecords, domain: string): Promise<Result> {
  const found = (await findTexts(records, domain)).filter((text) => /^v=spf1( |$)/i.test(text));
  const [only = ""] = found;
  if (found.length === 0)
    return warning(
      `${domain} has no SPF record.`,
      `Publish the TXT record v=spf1 include:YOUR_PROVIDER ~all at ${domain}.`,
    );
  if (found.length > 1)
    return failed(`${domain} has ${found.length} SPF records, so none counts.`, "Merge them into one.");
  if (/\s\+?all$/i.test(only.trim()))
    return failed(`The SPF record of ${domain} lets everyone send.`, "End it with ~all or -all.");
  return ok("SPF");
}

async function checkDkim(records: TextRecords, domain: string, selector: string): Promise<Result> {
  const name = `${selector}._domainkey.${domain}`;
  const found = (await findTexts(records, name)).find((text) => /(^|;)\s*p=/i.test(text));
  const fix = `Publish the record of ${name} that your SMTP provider shows, or correct DKIM_SELECTORS.`;
  if (found === undefined) return warning(`There is no DKIM key at ${name}.`, fix);
  if (/(^|;)\s*p=\s*(;|$)/i.test(found)) return warning(`The DKIM key at ${name} is revoked.`, fix);
  return ok(`DKIM (${selector})`);
}

async function checkDmarc(records: TextRecords, domain: string): Promise<Result> {
  const labels = domain.split(".");
  // A subdomain without a policy of its own has the one of a domain above it.
  for (let at = 0; at <= labels.length - 2; at += 1) {
    const found = await findTexts(records, `_dmarc.${labels.slice(at).join(".")}`);
    const policy = found.find((text) => /^v=DMARC1\s*;/i.test(text));
    if (policy) return ok(`DMARC (p=${/;\s*p=\s*(\w+)/i.exec(policy)?.[1] ?? "none"})`);
  }
  return warning(
    `${domain} has no DMARC record.`,
    `Publish the TXT record v=DMARC1; p=none; rua=mailto:YOUR_ADDRESS at _dmarc.${domain}.`,
  );
}

/** @throws NoAnswer if DNS can't be reached */
async function findTexts(records: TextRecords, name: string): Promise<string[]> {
  try {
    return (await records.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENODATA" || code === "ENOTFOUND") return [];
    throw new NoAnswer(code);
  }
}
