import { existsSync, readFileSync } from "node:fs";
import { brand } from "#schema/brand.ts";
import { isTimeZone } from "#schema/dates.ts";

/** Fields of the file named by BRAND_FILE, by their path, with the format that each must have. */
const requiredFields: Readonly<Record<string, Format>> = {
  name: "text",
  segment: "segment",
  domain: "domain",
  "mailboxes.support": "email",
  "mailboxes.sales": "email",
  "mailboxes.corporate": "email",
  "seller.legalName": "text",
  "seller.abn": "abn",
  "seller.acn": "acn",
  "seller.address": "text",
  "seller.bank.accountName": "text",
  "seller.bank.bsb": "bsb",
  "seller.bank.accountNumber": "account",
  timeZone: "timeZone",
};

/** Optional fields. Without them, the portal describes the product as it is built. */
const optionalFields: Readonly<Record<string, Format>> = {
  "links.linkedIn": "url",
  "links.youTube": "url",
  productName: "text",
  tagline: "text",
  logo: "logo",
  location: "text",
  firstRelease: "text",
};

type Format = keyof typeof formats;

/** Characters that would need different escaping in pages and scripts, which no field needs. */
const plainText = /^[^<>"\\`\p{Cc}]{1,200}$/u;

/** Longest logo in bytes, because every page, email and PDF has it. */
const MAX_LOGO = 100_000;

/** Returns the PNG in a data URL, or null if it isn't a square one of 256 to 1,024 pixels. */
function parseLogo(text: string): Buffer | null {
  const [, base64 = ""] = /^data:image\/png;base64,([\w+/]+=*)$/.exec(text) ?? [];
  const png = Buffer.from(base64, "base64");
  if (png.length < 33 || png.length > MAX_LOGO || png.toString("latin1", 1, 4) !== "PNG") return null;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return width === height && width >= 256 && width <= 1_024 ? png : null;
}

const formats = {
  text: [(text: string) => plainText.test(text), 'up to 200 characters without < > " \\ and `'],
  segment: [
    (text: string) => /^[a-z][a-z0-9]{0,19}$/.test(text),
    "up to 20 lower-case letters and digits, such as xer",
  ],
  domain: [(text: string) => /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(text), "a domain, such as example.com"],
  email: [(text: string) => /^[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}$/i.test(text), "an email address"],
  abn: [(text: string) => /^\d{11}$/.test(text.replaceAll(" ", "")), "11 digits"],
  acn: [(text: string) => /^\d{9}$/.test(text.replaceAll(" ", "")), "9 digits"],
  bsb: [(text: string) => /^\d{3}[- ]?\d{3}$/.test(text), "6 digits, such as 064-000"],
  account: [(text: string) => /^\d[\d ]{3,13}\d$/.test(text), "5 to 15 digits"],
  timeZone: [isTimeZone, "an IANA time zone, such as Australia/Brisbane"],
  logo: [(text: string) => parseLogo(text) !== null, "a data URL of a square PNG of 256 to 1024 pixels, up to 100 kB"],
  url: [(text: string) => URL.canParse(text) && /^https:\/\/[^<>"'\\`\s]+$/.test(text), "an https URL"],
} as const;

/** The values of a brand file by path, or a sentence for each fault. */
export type BrandFile =
  | { readonly values: ReadonlyMap<string, string>; readonly faults: readonly [] }
  | { readonly values: null; readonly faults: readonly string[] };

/** Reads and checks the brand file. Every fault names the setting and the field. */
export function readBrandFile(file: string): BrandFile {
  const read = parseFile(file);
  if (typeof read === "string") return { values: null, faults: [read] };
  const values = new Map<string, string>();
  const faults: string[] = [];
  const missing: string[] = [];
  const check = (path: string, format: Format, isRequired: boolean): void => {
    const value = getField(read, path);
    if (value === undefined || value === null || value === "") {
      if (isRequired) missing.push(path);
      return;
    }
    const [isValid, wanted] = formats[format];
    if (typeof value === "string" && isValid(value.trim())) values.set(path, value.trim());
    else faults.push(`BRAND_FILE: ${path} must be ${wanted}.`);
  };
  for (const [path, format] of Object.entries(requiredFields)) check(path, format, true);
  for (const [path, format] of Object.entries(optionalFields)) check(path, format, false);
  if (typeof getField(read, "links") !== "object") missing.push("links");
  if (missing.length > 0)
    faults.unshift(`BRAND_FILE lacks ${missing.join(", ")}. brand.example.json is a complete example.`);
  return faults.length > 0 ? { values: null, faults } : { values, faults: [] };
}

/** Returns the fault of a production process without a brand file, which names every field to fill in. */
export function describeMissingBrandFile(): string {
  const fields = [...Object.keys(requiredFields), "links"].join(", ");
  return `BRAND_FILE must be set in production: the file with your name, seller and mailboxes. Copy brand.example.json and fill in ${fields}.`;
}

function parseFile(file: string): object | string {
  let text: string;
  try {
    // Editors of Windows begin a file with a byte order mark, which counts as a space.
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    return `BRAND_FILE can't be read: ${(error as Error).message}.`;
  }
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read;
  } catch {
    // Reported below, without the text.
  }
  return `BRAND_FILE must contain a JSON object, as brand.example.json does. ${file} doesn't.`;
}

function getField(from: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      from,
    );
}

/**
 * Replaces the built-in brand with the one of BRAND_FILE, and its sender with MAIL_FROM. Call it before loading anything
 * that reads the brand. Invalid settings change nothing; `readConfig` reports them.
 */
export function applyBrandSettings(env: Readonly<Record<string, string | undefined>>): void {
  const file = env.BRAND_FILE?.trim();
  const values = file ? readBrandFile(file).values : null;
  const sender = parseSender(env.MAIL_FROM?.trim() ?? "");
  if (values) Object.assign(brand, buildBrand(values));
  logo = parseLogo(values?.get("logo") ?? "");
  if (sender) Object.assign(brand, { sender: { ...sender, name: sender.name || brand.name } });
}

/** Returns whether the brand was replaced, so that the built pages, which have the built-in one, don't fit. */
export const isBrandReplaced = (): boolean => logo !== null || JSON.stringify(brand) !== JSON.stringify(builtIn);

let logo: Buffer | null = null;

/** Address of the logo on the site. */
export const logoPath = "/media/logo.png";

/** Returns the logo that the site, emails and PDFs show: a square PNG, of BRAND_FILE if it has one. */
export function readLogo(): Buffer {
  // The product as it is packed has only the built site.
  const folder = ["web/public", "dist/web"].find((one) => existsSync(`${one}${logoPath}`)) ?? "dist/web";
  return logo ?? readFileSync(`${folder}${logoPath}`);
}

/** The brand that the build put into the pages. */
export const builtIn: typeof brand = structuredClone(brand);

function buildBrand(values: ReadonlyMap<string, string>) {
  const get = (path: string): string => values.get(path) ?? "";
  const [first = "", ...rest] = get("name").split(" ");
  const site = `https://${get("domain")}`;
  const mailbox = (name: keyof typeof brand.mailboxes) => ({
    label: brand.mailboxes[name].label,
    email: get(`mailboxes.${name}`),
  });
  const address = get("seller.address");
  return {
    name: get("name"),
    nameParts: { first, rest: rest.join(" ") },
    segment: get("segment"),
    productName: values.get("productName") ?? brand.productName,
    tagline: values.get("tagline") ?? brand.tagline,
    locationLine: values.get("location") ?? address.split(", ").slice(-2).join(", "),
    timeZone: get("timeZone"),
    networkUrl: values.get("links.linkedIn") ?? site,
    networkLabel: values.has("links.linkedIn") ? "LinkedIn" : get("domain"),
    videoSiteUrl: values.get("links.youTube") ?? site,
    videoSiteLabel: values.has("links.youTube") ? "YouTube" : get("domain"),
    mailboxes: { corporate: mailbox("corporate"), support: mailbox("support"), sales: mailbox("sales") },
    sender: { name: get("name"), email: `no-reply@${get("domain")}` },
    company: {
      legalName: get("seller.legalName"),
      abn: get("seller.abn"),
      acn: get("seller.acn"),
      address,
      firstRelease: values.get("firstRelease") ?? brand.company.firstRelease,
      bank: {
        accountName: get("seller.bank.accountName"),
        bsb: get("seller.bank.bsb"),
        accountNumber: get("seller.bank.accountNumber"),
      },
    },
  };
}

/** Parses `Name <address>` or an address; null if it is neither. */
export function parseSender(text: string): { readonly name: string; readonly email: string } | null {
  const [, name = "", inBrackets, alone] = /^(?:([^<>"]*)<([^<>\s]+)>|(\S+))$/.exec(text) ?? [];
  const email = inBrackets ?? alone ?? "";
  return formats.email[0](email) ? { name: name.trim(), email } : null;
}
