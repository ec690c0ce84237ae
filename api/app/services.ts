import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import type { Config } from "#api/platform/config.ts";
import type { Clock } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { loadAuditKey } from "#api/audit/chain/audit-key.ts";
import { flushSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import { getDirectAddress, openDatabase } from "./database.ts";
import { type DatabaseAddress, type EntityManager, getPool } from "#api/platform/database/database.ts";
import { followDatabaseClock } from "#api/platform/database/database-clock.ts";
import { openFiles } from "#api/platform/files/open-files.ts";
import { createJobs, type JobsOptions } from "#api/platform/jobs/jobs.ts";
import { createLifecycle } from "#api/platform/lifecycle.ts";
import { recordOperatorEvents } from "./operator-events.ts";
import { backgroundWork } from "./background-work.ts";
import { type Payments, createPaymentsOff } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { createReads } from "#api/platform/database/replica.ts";
import { openReportPool } from "#api/platform/database/report-pool.ts";
import { createRateLimits } from "#api/platform/limits/rate-limits.ts";
import { loadEncryptionKeys } from "#api/platform/keys/encryption-keys.ts";
import { loadReleaseKeys } from "#api/platform/keys/release-keys.ts";
import { loadSigningKeys } from "#api/platform/keys/signing-keys.ts";
import { changeWebhooks } from "#api/audit/change-log/record-change.ts";
import { announceChanges } from "#api/webhooks/endpoints/record-webhook-event.ts";
import { installation } from "#api/staff/status/status.resolver.ts";
import { webhookEndpoints } from "#api/access/passwords/reset-password.ts";
import { turnOffEndpoints } from "#api/webhooks/endpoints/change-endpoint.ts";
import { licenceBacking } from "#api/licensing/licences/licence.entity.ts";
import { subscriptionBacking } from "#api/billing/subscriptions/licence-backing.ts";

interface ServicesOptions {
  readonly jobs?: JobsOptions;
  /** The payment simulator of `dev/`, required if the payment provider isn't set up. */
  readonly payments?: Payments;
  /** An ORM that is connected to the address, instead of a new one. */
  readonly orm?: MikroORM;
  /** Name of the command that opens the services. */
  readonly command?: string;
}

/**
 * Creates the services of a process without connecting to the database. {@link connectServices} connects them.
 */
export async function createServices(
  config: Config,
  address: DatabaseAddress,
  given: { log: Logger; clock: Clock },
  options: ServicesOptions = {},
): Promise<Services> {
  connectAreas();
  const { poolSize, directUrl } = config.operations;
  const orm = options.orm ?? (await openDatabase(address, poolSize, directUrl !== null));
  const pool = await getPool(orm.em as EntityManager);
  const keys = loadSigningKeys(config);
  // Reports use settings of the session, so they don't go through a pooler.
  const reportPool = openReportPool(getDirectAddress(config, address));
  const base = {
    config,
    lifecycle: createLifecycle(),
    ...given,
    orm,
    pool,
    reportPool,
    reads: createReads({ pool, log: given.log }, config.operations.replicaUrl, poolSize),
    keys,
    encryptionKeys: loadEncryptionKeys(config, keys),
    releaseKeys: loadReleaseKeys(config),
    rateLimits: createRateLimits(pool, given.clock, config.rateLimits),
    payments: options.payments ?? createPayments(config),
    files: openFiles(config, given),
  };
  return { ...base, jobs: createJobs(base, backgroundWork, options.jobs) };
}

/**
 * Connects the services to a migrated database and starts the jobs. Can be called again after it failed.
 * @param requestId name of the command in security events about changed keys and restored backups
 */
export async function connectServices(services: Services, requestId = "startup"): Promise<void> {
  // Runs before the first job, because jobs use the database's clock to decide what to delete.
  await followDatabaseClock(services);
  await loadAuditKey(services);
  await recordOperatorEvents(services, requestId);
  await services.jobs.start();
  services.reads.start();
}

/** Opens the services of a process on a migrated database that is available. */
export async function openServices(
  config: Config,
  address: DatabaseAddress,
  given: { log: Logger; clock: Clock },
  options: ServicesOptions = {},
): Promise<Services> {
  const services = await createServices(config, address, given, options);
  await connectServices(services, options.command);
  services.lifecycle.serve();
  return services;
}

/**
 * Closes the services. Waits for running jobs and aborts running reports, because nobody is waiting for them any more.
 */
export async function closeServices(services: Services): Promise<void> {
  await services.jobs.stop();
  await flushSecurityEvents(services, { isStopping: true });
  services.reportPool.abortReports();
  await services.reportPool.end();
  services.reads.abortReports();
  await services.reads.close();
  await services.orm.close(true);
}

function createPayments({ stripe, production }: Config): Payments {
  if (!stripe && production) return createPaymentsOff();
  if (!stripe) throw new Error("neither the payment provider nor the payment simulator is set up");
  const { publishableKey } = stripe;
  return createStripePayments({ ...stripe, cardEntry: { kind: "provider", publishableKey } });
}

/**
 * Passes functions from higher areas to lower areas, which aren't allowed to import them (`scripts/lint/areas.mjs`).
 */
function connectAreas(): void {
  licenceBacking.provide(subscriptionBacking);
  changeWebhooks.provide(announceChanges);
  webhookEndpoints.provide({ turnOff: turnOffEndpoints });
  installation.provide({
    examine: async (services) => (await import("./doctor/examine.ts")).examineServices(services),
  });
}
