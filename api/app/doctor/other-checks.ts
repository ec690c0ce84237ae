import { randomUUID } from "node:crypto";
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { formatCount } from "#schema/numbers.ts";
import { verifySender } from "#api/messaging/emails/smtp-transport.ts";
import { readMachineClock, DAY, SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { describeError } from "#api/platform/errors.ts";
import { openFiles } from "#api/platform/files/open-files.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { loadReleaseKeys } from "#api/platform/keys/release-keys.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { checkMailDomain } from "./mail-domain.ts";
import { failed, ok, type Result, warning, version } from "./result.ts";
import { connect } from "node:tls";
import { object, string } from "yup";
import { makeFolder } from "#api/platform/files/make-folder.ts";

/** Free space that uploads, generated pages and logs need, in bytes. */
const MIN_FREE_BYTES = 1_000_000_000;
const MIN_TEMPORARY_BYTES = 200_000_000;

/** Checks that don't need the database, by name. */
export const otherChecks: Readonly<Record<string, (config: Config) => Promise<Result>>> = {
  async keys(config) {
    loadSigningKeys(config);
    loadReleaseKeys(config);
    const isGenerated = config.encryptionKeys === null || config.releaseKeys === null;
    if (!config.production || !isGenerated) return ok("signing, encryption and release keys can be read");
    return ok("keys can be read; unset rings are in DATA_DIR, which all processes must share");
  },

  async email({ smtpUrl }) {
    if (!smtpUrl) return ok("emails go to the dev mailbox");
    try {
      await verifySender(smtpUrl);
      return ok("the SMTP server accepts the connection, the sign-in and the sender");
    } catch (error) {
      const fix = "Correct SMTP_URL, or allow the sender of BRAND_FILE at the SMTP server.";
      return failed(`The SMTP server refused: ${(error as Error).message}`, fix);
    }
  },

  "email domain": checkMailDomain,

  async files(config) {
    const files = openFiles(config);
    const key = `doctor/${randomUUID()}`;
    try {
      if (!config.bucket) makeFolder(config.dataDir);
      await files.put(key, Readable.from(["doctor"]));
      const found = await files.stat(key);
      await files.delete(key);
      if (found?.sizeBytes === "doctor".length)
        return ok(config.bucket ? "the bucket stores files" : "files are on disk");
      return failed("A stored file could not be found again.", "Correct FILES_URL, or the permissions of the bucket.");
    } catch (error) {
      const fix = config.bucket
        ? "Correct FILES_URL. The key needs GetObject, PutObject, DeleteObject and ListBucket."
        : "Make DATA_DIR writable for this user.";
      return failed(`Files can't be stored: ${describeError(error)}`, fix);
    }
  },

  async payments({ stripe, production }) {
    if (!stripe) return ok(production ? "card payments are off, because STRIPE_SECRET_KEY isn't set" : "the simulator");
    const { publishableKey } = stripe;
    const payments = createStripePayments({ ...stripe, cardEntry: { kind: "provider", publishableKey } });
    try {
      await payments.listEvents(new Date(readMachineClock()));
      return ok("the payment provider accepts the key");
    } catch (error) {
      return failed(`The payment provider refused: ${describeError(error)}`, "Correct STRIPE_SECRET_KEY.");
    }
  },

  async disk({ dataDir }) {
    makeFolder(dataDir);
    const free = (folder: string) => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    };
    const inMegabytes = (bytes: number) => `${Math.floor(bytes / 1_000_000)} MB`;
    if (free(dataDir) < MIN_FREE_BYTES)
      return failed(`DATA_DIR has ${inMegabytes(free(dataDir))} left, of at least 1,000.`, `Free space on ${dataDir}.`);
    if (free(tmpdir()) < MIN_TEMPORARY_BYTES)
      return failed(`TMPDIR has ${inMegabytes(free(tmpdir()))} left, of at least 200.`, `Free space on ${tmpdir()}.`);
    return ok(`${Math.floor(free(dataDir) / 1_000_000_000)} GB left in DATA_DIR`);
  },

  certificate: checkCertificate,
  update: checkUpdates,
};

const WAIT_MS = 5 * SECOND;

/** Days of validity from which a certificate should have been renewed. ACME clients renew 30 days before the end. */
const LATE_DAYS = 14;

/** Checks the certificate that PUBLIC_URL answers with: its name, its issuer and its end. */
export async function checkCertificate({
  publicUrl,
  production,
}: Pick<Config, "publicUrl" | "production">): Promise<Result> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== "https:")
    return production
      ? warning("PUBLIC_URL isn't https, so passwords travel unencrypted.", "Put a proxy with TLS in front of it.")
      : ok("none, because PUBLIC_URL isn't https");
  try {
    const days = Math.floor(((await readEnd(hostname, Number(port || 443))) - readMachineClock()) / DAY);
    const left = formatCount(days, "day");
    if (days >= LATE_DAYS) return ok(`of ${hostname}, valid for ${left}`);
    return warning(`The certificate of ${hostname} ends in ${left}.`, "Renew it: see the proxy's log.");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (/^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT)/.test(code))
      return warning(
        `${hostname} can't be reached from here (${code}), so its certificate isn't known.`,
        "Check DNS and the proxy, or ignore this where the machine can't reach its public address.",
      );
    return failed(`Browsers refuse the certificate of ${hostname}: ${message}`, "Renew or replace it at the proxy.");
  }
}

/** Returns the end of the certificate of a server, in milliseconds. */
async function readEnd(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: WAIT_MS }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
  });
}

/** What UPDATES_URL returns: `release.json`, which `npm run release` writes. */
const releaseRules = object({
  version: string()
    .matches(/^\d+\.\d+\.\d+$/)
    .required(),
  notes: string().url(),
});

/** Looks for a newer release at UPDATES_URL, and nowhere if it isn't set (decision 0234). */
export async function checkUpdates({ operations }: Pick<Config, "operations">, running = version): Promise<Result> {
  if (!operations.updatesUrl) return ok(`version ${running}; UPDATES_URL isn't set, so nothing looks for a newer one`);
  try {
    const response = await fetch(operations.updatesUrl, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const latest = await releaseRules.validate(await response.json());
    const isNewer = latest.version.localeCompare(running, "en", { numeric: true }) > 0;
    if (!isNewer) return ok(`version ${running} is the newest`);
    return warning(
      `Version ${latest.version} is available; ${running} runs.`,
      `Read ${latest.notes ?? "its notes"}, then follow docs/upgrading.md.`,
    );
  } catch (error) {
    return warning(
      `UPDATES_URL doesn't name a release: ${(error as Error).message}`,
      "Correct it, or unset it to look for none.",
    );
  }
}
