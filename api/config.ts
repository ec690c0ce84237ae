import { isIP } from "node:net";
import { resolve } from "node:path";
import process from "node:process";
import { trimEnd } from "#schema/clean-text.ts";
import { brand } from "#schema/brand.ts";
import type { Publisher } from "#schema/software-upload.ts";
import { type BucketSettings, parseBucketUrl } from "./platform/files/bucket-settings.ts";
import {
  type AddressProviderSettings,
  type Config,
  allowedOperations,
  type StripeSettings,
} from "./platform/config.ts";
import { databaseUrlExample, isDatabaseUrl } from "./platform/database/database-hosts.ts";
import { createChoice, isUrl, readOperations } from "./platform/operations-settings.ts";
import { applyBrandSettings, describeMissingBrandFile, parseSender, readBrandFile } from "./platform/brand-file.ts";
import { findUnsafeSettings } from "./platform/production-faults.ts";
import { type KeyRing, keySettings } from "./platform/keys/key-files.ts";
import { findKeySetFault } from "./platform/keys/key-rotation.ts";
import { parseAdminNetworks } from "./platform/http/networks.ts";
import { parseTrustedProxies } from "./platform/http/trusted-proxies.ts";

const addressProviders = ["embedded", "addressfinder", "google-places"];

/** Settings with the URL of a database. */
const databaseSettings = ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_OWNER_URL", "DATABASE_REPLICA_URL"];

const onOff = ["on", "off"] as const;

const smtpProtocols = ["smtp:", "smtps:"];

const logLevels = ["trace", "debug", "info", "warn", "error", "silent"];

/** Days in which the first admin of a new installation can work before setting up two-step sign-in. */
const FIRST_ADMIN_GRACE_DAYS = 7;

/** Thrown when settings are invalid. Each fault is a sentence that names its setting. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[], isProductionByDefault = false) {
    super(
      `${faults.length === 1 ? "A setting is invalid" : `${faults.length} settings are invalid`}:\n- ${faults.join("\n- ")}${
        isProductionByDefault
          ? "\nThis is production, because NODE_ENV isn't set. For development, run npm start or set NODE_ENV=development."
          : ""
      }`,
    );
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/**
 * Reads and checks the settings.
 * @throws ConfigError that lists every invalid setting and, in production, every unsafe default
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = [];
  const given = (name: string): string | null => env[name]?.trim() || null;
  const choose = createChoice(given, faults);
  const { databaseUrl, dataDir, keys } = readKeySettings(env);
  // Fails closed: anything else is production, so that a server never opens /dev by accident.
  const production = !["development", "test"].includes(given("NODE_ENV") ?? "");

  const typedPort = given("PORT") ?? "4000";
  const port = Number(typedPort);
  if (!/^\d+$/.test(typedPort) || port > 65_535) faults.push("PORT must be a number from 0 to 65535.");

  const host = given("HOST") ?? (production ? "0.0.0.0" : "127.0.0.1");
  if (!isIP(host) && host !== "localhost") faults.push("HOST must be an IP address or localhost.");

  const publicUrl = trimEnd(given("PUBLIC_URL") ?? `http://localhost:${port}`, "/");
  if (!isUrl(publicUrl, ["http:", "https:"])) faults.push("PUBLIC_URL must be an http or https URL.");
  else if (new URL(publicUrl).href !== `${new URL(publicUrl).origin}/`)
    faults.push("PUBLIC_URL must have only a scheme, a host and a port. The portal can't be served from a folder.");

  if (databaseUrl && !isDatabaseUrl(databaseUrl)) faults.push(`DATABASE_URL must look like ${databaseUrlExample}.`);

  const filesUrl = given("FILES_URL");
  const bucket = filesUrl ? parseBucketUrl(filesUrl, production) : null;
  if (isFaults(bucket)) faults.push(...bucket);

  const smtpUrl = given("SMTP_URL");
  if (smtpUrl && !isUrl(smtpUrl, smtpProtocols)) faults.push("SMTP_URL must look like smtp://user:password@host:587.");

  const brandFile = given("BRAND_FILE");
  if (brandFile) faults.push(...readBrandFile(brandFile).faults);
  const sender = given("MAIL_FROM");
  if (sender && !parseSender(sender)) faults.push("MAIL_FROM must look like Portal <no-reply@example.com>.");

  const readKeys = (ring: KeyRing): string | null => {
    const text = keys[ring];
    const fault = text && findKeySetFault(ring, text);
    if (fault) faults.push(`${keySettings[ring]} ${fault}`);
    return text;
  };
  const signingKeys = readKeys("signing");
  const encryptionKeys = readKeys("encryption");
  const releaseKeys = readKeys("release");

  const trustedProxies = parseTrustedProxies(given("TRUSTED_PROXIES") ?? "");
  if (trustedProxies === null)
    faults.push(
      "TRUSTED_PROXIES must list IP addresses, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal.",
    );

  const rateLimits = choose("RATE_LIMITS", onOff, "on");
  const checkedResponses = choose("CHECK_RESPONSES", onOff, "on");

  const stripe = readStripe(given, production, faults);
  const rawCards = choose("RAW_CARDS", onOff, "off");

  const addressProvider = given("ADDRESS_PROVIDER") ?? "embedded";
  const addressApiKey = given("ADDRESS_API_KEY");
  const addressApiUrl = trimEnd(given("ADDRESS_API_URL") ?? "", "/") || null;
  if (!addressProviders.includes(addressProvider))
    faults.push(`ADDRESS_PROVIDER must be one of ${addressProviders.join(", ")}.`);
  else if (addressProvider !== "embedded" && !addressApiKey)
    faults.push(`ADDRESS_API_KEY must be set for ADDRESS_PROVIDER=${addressProvider}.`);
  if (addressApiUrl && !isUrl(addressApiUrl, ["http:", "https:"]))
    faults.push("ADDRESS_API_URL must be an http or https URL.");

  const twoStepChoices = ["required", "passkey", "optional"] as const;
  const adminTwoStep = choose("ADMIN_TWO_STEP", twoStepChoices, production ? "required" : "optional");

  const adminNetworks = parseAdminNetworks(given("ADMIN_NETWORKS") ?? "");
  if (adminNetworks === null)
    faults.push("ADMIN_NETWORKS must list IP addresses and networks, such as 203.0.113.0/24,2001:db8::/48.");

  const releaseApproval = choose("RELEASE_APPROVAL", ["one-person", "two-person"], "one-person");

  const analyticsTagId = given("ANALYTICS_TAG_ID");
  if (analyticsTagId && !/^G-[A-Z0-9]{4,20}$/.test(analyticsTagId))
    faults.push("ANALYTICS_TAG_ID must look like G-XXXXXXXXXX.");

  const keptMonths = given("KEEP_LICENCE_EVENTS_MONTHS");
  if (keptMonths !== null && !/^[1-9]\d{0,3}$/.test(keptMonths))
    faults.push("KEEP_LICENCE_EVENTS_MONTHS must be a number of months from 1 to 9999.");

  const reminderDays = (env.INVOICE_REMINDER_DAYS ?? "-3,0,7,14").split(",").filter((days) => days.trim() !== "");
  if (!reminderDays.every((days) => /^-?\d{1,3}$/.test(days.trim())))
    faults.push("INVOICE_REMINDER_DAYS must be whole numbers of days, separated by commas.");

  const graphqlOperations = choose("GRAPHQL_OPERATIONS", allowedOperations, "any");

  const logLevel = given("LOG_LEVEL") ?? (production ? "info" : "warn");
  if (!logLevels.includes(logLevel)) faults.push(`LOG_LEVEL must be one of ${logLevels.join(", ")}.`);

  const operations = readOperations(given, { production, port }, faults);

  if (production) {
    if (!databaseUrl)
      faults.push("DATABASE_URL must be set in production. The embedded database is for evaluation only.");
    if (!smtpUrl) faults.push("SMTP_URL must be set in production. The dev mailbox doesn't send email.");
    if (!signingKeys)
      faults.push("SIGNING_KEYS must be set in production. All processes must sign with the same keys.");
    if (!given("PUBLIC_URL")) faults.push("PUBLIC_URL must be set in production. Links in emails use it.");
    else if (!publicUrl.startsWith("https://")) faults.push("PUBLIC_URL must start with https:// in production.");
    faults.push(
      ...findUnsafeSettings({
        databaseUrls: databaseSettings.map((name) => [name, given(name)]),
        smtpUrl: smtpUrl && isUrl(smtpUrl, smtpProtocols) ? smtpUrl : null,
        stripeKeys: ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"].map((name) => [name, given(name)]),
        webhookSecret: given("STRIPE_WEBHOOK_SECRET"),
      }),
    );
    if (rateLimits === "off") faults.push("RATE_LIMITS=off is refused in production.");
    if (!brandFile) faults.push(describeMissingBrandFile());
  }

  const publisher = readPublisher(given, faults);
  if (faults.length > 0) throw new ConfigError(faults, production && !given("NODE_ENV"));
  return {
    production,
    port,
    host,
    publicUrl,
    databaseUrl,
    dataDir,
    bucket: isFaults(bucket) ? null : bucket,
    smtpUrl,
    signingKeys,
    encryptionKeys,
    releaseKeys,
    trustedProxies: trustedProxies ?? [],
    rateLimits: rateLimits === "on",
    checksResponses: !production && checkedResponses === "on",
    stripe,
    acceptsRawCards: stripe === null || rawCards === "on",
    addressProvider:
      addressProvider === "embedded" || !addressApiKey
        ? null
        : { name: addressProvider as AddressProviderSettings["name"], apiKey: addressApiKey, url: addressApiUrl },
    adminTwoStepRequired: adminTwoStep !== "optional",
    adminPasskeyRequired: adminTwoStep === "passkey",
    adminNetworks: adminNetworks ?? [],
    firstAdminGraceDays: given("ADMIN_TWO_STEP") ? 0 : FIRST_ADMIN_GRACE_DAYS,
    twoPersonRelease: releaseApproval === "two-person",
    publisher,
    invoiceReminderDays: reminderDays.map(Number).toSorted((one, other) => one - other),
    keepLicenceEventsMonths: keptMonths === null ? null : Number(keptMonths),
    analyticsTagId,
    graphqlOperations,
    logLevel,
    operations,
  };
}

/** Replaces the built-in brand with the one of the settings. Call it before loading anything that reads the brand. */
export function applyBrand(env: Readonly<Record<string, string | undefined>> = process.env): void {
  applyBrandSettings(env);
}

/** Returns the settings that locate the keys, without requiring the others. Key rotation needs nothing else. */
export function readKeySettings(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Pick<Config, "databaseUrl" | "dataDir"> & { readonly keys: Readonly<Record<KeyRing, string | null>> } {
  const given = (name: string) => env[name]?.trim() || null;
  const { signing, encryption, release } = keySettings;
  return {
    databaseUrl: given("DATABASE_URL"),
    dataDir: resolve(given("DATA_DIR") ?? ".data"),
    keys: { signing: given(signing), encryption: given(encryption), release: given(release) },
  };
}

function readPublisher(given: (name: string) => string | null, faults: string[]): Publisher | null {
  const name = given("PUBLISHER_NAME");
  const list = given("PUBLISHER_CERTIFICATES");
  if (!name && !list) return brand.publisher;
  const certificates = (list ?? "").split(",").map((one) => one.replace(/[\s:]/g, "").toLowerCase());
  if (!name || !certificates.every((one) => /^[0-9a-f]{64}$/.test(one)))
    faults.push(
      "PUBLISHER_NAME and PUBLISHER_CERTIFICATES must be set together. List the SHA-256 fingerprint of the publisher's certificate or of an authority above it, separated by commas.",
    );
  return { name: name ?? "", certificates };
}

function readStripe(
  given: (name: string) => string | null,
  production: boolean,
  faults: string[],
): StripeSettings | null {
  const names = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"];
  const [secretKey, publishableKey, webhookSecret] = names.map(given);
  const url = trimEnd(given("STRIPE_API_URL") ?? "", "/") || null;
  const missing = names.filter((name) => !given(name));
  if (missing.length > 0 && missing.length < names.length) faults.push(`${missing.join(", ")} must be set too.`);
  if (secretKey && !/^[rs]k_(test|live)_/u.test(secretKey))
    faults.push("STRIPE_SECRET_KEY must begin with sk_ or rk_.");
  if (publishableKey && !/^pk_(test|live)_/u.test(publishableKey))
    faults.push("STRIPE_PUBLISHABLE_KEY must begin with pk_.");
  if (url && production) faults.push("STRIPE_API_URL is refused in production.");
  if (url && secretKey && !secretKey.startsWith("sk_test_"))
    faults.push("STRIPE_API_URL is refused with a live key. A live key is only sent to the payment provider.");
  return secretKey && publishableKey && webhookSecret ? { secretKey, publishableKey, webhookSecret, url } : null;
}

function isFaults(read: BucketSettings | readonly string[] | null): read is readonly string[] {
  return Array.isArray(read);
}
