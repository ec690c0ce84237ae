import { randomUUID } from "node:crypto";
import { mkdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { verifySender } from "#api/messaging/emails/smtp-transport.ts";
import { openFiles } from "#api/app/backup/write-backup.ts";
import { readMachineClock } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { loadReleaseKeys } from "#api/platform/keys/release-keys.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { checkCertificate } from "./certificate.ts";
import { checkMailDomain } from "./mail-domain.ts";
import { failed, ok, type Result } from "./result.ts";
import { checkUpdates } from "./updates.ts";

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
      return failed(`Files can't be stored: ${(error as Error).message}`, fix);
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
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      return failed(`The payment provider refused: ${reason}`, "Correct STRIPE_SECRET_KEY.");
    }
  },

  async disk({ dataDir }) {
    mkdirSync(dataDir, { recursive: true });
    const free = (folder: string) => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    };
    const inMegabytes = (bytes: number) => `${Math.floor(bytes / 1_000_000)} MB`;
    if (free(dataDir) < MIN_FREE_BYTES)
      return failed(`DATA_DIR has ${inMegabytes(free(dataDir))} left, of at least 1,000.`, `Free space on ${dataDir}.`);
    if (free(tmpdir()) < MIN_TEMPORARY_BYTES)
      return failed(`TMPDIR has ${inMegabytes(free(tmpdir()))} left, of at least 200.`, `Free space on ${tmpdir()}.`);
    return ok(`${inMegabytes(free(dataDir))} left in DATA_DIR`);
  },

  certificate: checkCertificate,
  update: checkUpdates,
};
