import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "#api/platform/config.ts";
import type { Clock } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { openDatabase } from "./database.ts";
import { type DatabaseAddress, type EntityManager, poolOf } from "#api/platform/database.ts";
import { followDatabaseClock } from "#api/platform/database-clock.ts";
import { createBucketFiles } from "#api/platform/files/bucket-files.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";
import { type JobsOptions, startJobs } from "#api/platform/jobs.ts";
import { work } from "./work.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { openReportPool } from "#api/platform/report-pool.ts";
import { createRateLimits } from "#api/platform/rate-limits.ts";
import { loadSigningKeys } from "#api/platform/signing-keys.ts";
import { licenceBacking } from "#api/licensing/licences/licence-backing.ts";
import { subscriptionBacking } from "#api/selling/subscriptions/licence-backing.ts";

/**
 * Opens everything a process has one of, on a migrated database. Without settings for the payment provider,
 * `options.payments` must be given: the payment simulator's, which is made outside (`dev/`).
 */
export async function openServices(
  config: Config,
  address: DatabaseAddress,
  given: { log: Logger; clock: Clock },
  options: { jobs?: JobsOptions; payments?: Payments } = {},
): Promise<Services> {
  connectAreas();
  const orm = await openDatabase(address);
  const pool = await poolOf(orm.em as EntityManager);
  // Before the first job: what it deletes must be due by the database's clock.
  await followDatabaseClock({ ...given, pool });
  const base = {
    config,
    ...given,
    orm,
    pool,
    reportPool: openReportPool(address),
    keys: loadSigningKeys(config),
    rateLimits: createRateLimits(pool, given.clock, config.rateLimits),
    payments: options.payments ?? paymentsOf(config),
    files: config.bucket
      ? createBucketFiles(config.bucket, given.log)
      : createDiskFiles(join(config.dataDir, "files"), given.clock),
  };
  return { ...base, jobs: await startJobs(base, work, options.jobs) };
}

/** Closes what {@link openServices} opened, running jobs first; reports that nobody can read any more are broken off. */
export async function closeServices(services: Services): Promise<void> {
  await services.jobs.stop();
  services.reportPool.breakOff();
  await services.reportPool.end();
  await services.orm.close(true);
}

function paymentsOf({ stripe }: Config): Payments {
  if (!stripe) throw new Error("neither the payment provider nor the payment simulator is set up");
  const { publishableKey } = stripe;
  return createStripePayments({ ...stripe, cardEntry: { kind: "provider", publishableKey } });
}

/** Hands lower areas what higher ones provide, as `scripts/lint/areas.mjs` forbids them to import it. */
function connectAreas(): void {
  licenceBacking.provide(subscriptionBacking);
}
