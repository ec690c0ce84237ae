import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "#api/platform/config.ts";
import type { Clock } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { loadAuditKey } from "#api/audit/chain/audit-key.ts";
import { flushSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import { openDatabase } from "./database.ts";
import { type DatabaseAddress, type EntityManager, getPool } from "#api/platform/database.ts";
import { followDatabaseClock } from "#api/platform/database-clock.ts";
import { createBucketFiles } from "#api/platform/files/bucket-files.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";
import { type JobsOptions, startJobs } from "#api/platform/jobs.ts";
import { backgroundWork } from "./background-work.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { openReportPool } from "#api/platform/report-pool.ts";
import { createRateLimits } from "#api/platform/rate-limits.ts";
import { loadEncryptionKeys } from "#api/platform/encryption-keys.ts";
import { loadReleaseKeys } from "#api/platform/release-keys.ts";
import { loadSigningKeys } from "#api/platform/signing-keys.ts";
import { licenceBacking } from "#api/licensing/licences/licence-backing.ts";
import { findRefundChoices } from "#api/billing/refunds/find-refund-choices.ts";
import { refundChoices } from "#api/selling/subscriptions/refund-choices.ts";
import { subscriptionBacking } from "#api/selling/subscriptions/licence-backing.ts";

/**
 * Opens the services of a process on a migrated database.
 * @param options.payments the payment simulator of `dev/`, required if the payment provider isn't set up
 */
export async function openServices(
  config: Config,
  address: DatabaseAddress,
  given: { log: Logger; clock: Clock },
  options: { jobs?: JobsOptions; payments?: Payments } = {},
): Promise<Services> {
  connectAreas();
  const orm = await openDatabase(address);
  const pool = await getPool(orm.em as EntityManager);
  // Runs before the first job, because jobs use the database's clock to decide what to delete.
  await followDatabaseClock({ ...given, pool });
  const keys = loadSigningKeys(config);
  const base = {
    config,
    ...given,
    orm,
    pool,
    reportPool: openReportPool(address),
    keys,
    encryptionKeys: loadEncryptionKeys(config, keys),
    releaseKeys: loadReleaseKeys(config),
    rateLimits: createRateLimits(pool, given.clock, config.rateLimits),
    payments: options.payments ?? createPayments(config),
    files: config.bucket
      ? createBucketFiles(config.bucket, given.log)
      : createDiskFiles(join(config.dataDir, "files"), given.clock),
  };
  await loadAuditKey(base);
  return { ...base, jobs: await startJobs(base, backgroundWork, options.jobs) };
}

/**
 * Closes the services. Waits for running jobs and aborts running reports, because nobody is waiting for them any more.
 */
export async function closeServices(services: Services): Promise<void> {
  await services.jobs.stop();
  await flushSecurityEvents(services, { isStopping: true });
  services.reportPool.abortReports();
  await services.reportPool.end();
  await services.orm.close(true);
}

function createPayments({ stripe }: Config): Payments {
  if (!stripe) throw new Error("neither the payment provider nor the payment simulator is set up");
  const { publishableKey } = stripe;
  return createStripePayments({ ...stripe, cardEntry: { kind: "provider", publishableKey } });
}

/**
 * Passes functions from higher areas to lower areas, which aren't allowed to import them (`scripts/lint/areas.mjs`).
 */
function connectAreas(): void {
  licenceBacking.provide(subscriptionBacking);
  refundChoices.provide(findRefundChoices);
}
