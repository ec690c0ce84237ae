import type { MikroORM } from "@mikro-orm/postgresql";
import { classifyTables } from "#api/platform/database/columns.ts";
import { query } from "#api/platform/database/database.ts";
import {
  type Batch,
  type BatchResult,
  type PersonalData,
  type TableTreatment,
  createDeletePart,
  createPurgeSweep,
} from "#api/platform/database/personal-data.ts";
import { rateLimitPoints } from "#api/platform/limits/rate-limits.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { accessTokenData, registrationData, twoStepData, sessionData } from "#api/access/personal-data.ts";
import { auditData, securityEventData } from "#api/audit/personal-data.ts";
import {
  deviceAuthorizationData,
  deviceData,
  leaseData,
  usageData,
  trialData,
  moveCodeData,
} from "#api/licensing/personal-data.ts";
import { licenceData } from "#api/licensing/licences/personal-data.ts";
import { contactMessageData, emailData } from "#api/messaging/personal-data.ts";
import { userData } from "#api/people/users/personal-data.ts";
import {
  billingContactData,
  creditData,
  quoteData,
  receivedPaymentData,
  invoiceData,
  refundData,
  promoCodeData,
} from "#api/billing/personal-data.ts";
import { subscriptionData } from "#api/billing/subscriptions/personal-data.ts";
import {
  bulkData,
  commentData,
  openFormData,
  contactData,
  savedReportData,
  savedViewData,
} from "#api/staff/personal-data.ts";
import { webhookData } from "#api/webhooks/endpoints/personal-data.ts";

/** Personal data in tables that belong to no area. */
const platformData: PersonalData = {
  tables: {
    erasures: { erasedBy: "the end of the erasure" },
    mikro_orm_migrations: { impersonal: "id name executed_at" },
  },
  erasure: [
    createDeletePart("rate-limits", "Rate limits", "rate_limits", {
      run: deleteRateLimits,
      alsoKept: "Keys are hashes. Keys of network addresses expire within a day.",
    }),
  ],
};

/**
 * Personal data of every area, in the order of erasure. Credentials come first, so that access ends immediately.
 */
const sources: readonly PersonalData[] = [
  userData,
  registrationData,
  accessTokenData,
  twoStepData,
  sessionData,
  licenceData,
  leaseData,
  deviceData,
  usageData,
  trialData,
  moveCodeData,
  deviceAuthorizationData,
  webhookData,
  contactData,
  openFormData,
  commentData,
  contactMessageData,
  bulkData,
  auditData,
  securityEventData,
  savedReportData,
  savedViewData,
  invoiceData,
  receivedPaymentData,
  quoteData,
  creditData,
  billingContactData,
  subscriptionData,
  refundData,
  promoCodeData,
  emailData,
  platformData,
];

const parts = sources.flatMap(({ erasure = [] }) => erasure);

/**
 * Returns the treatment of each database table when a user is erased, by table name.
 * @throws Error if a column has no class of personal data
 */
export function readTableTreatments(orm: MikroORM): Readonly<Record<string, TableTreatment>> {
  const declared = Object.fromEntries([
    ...parts.flatMap(({ table, treatment }) => (treatment ? [[table, treatment] as const] : [])),
    ...sources.flatMap(({ tables = {} }) => Object.entries(tables)),
  ]);
  return Object.fromEntries(
    Object.entries(classifyTables(orm, declared)).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The parts of an erasure, in the order in which they run. */
export const erasureParts = [...parts.filter(({ runsLast }) => !runsLast), ...parts.filter(({ runsLast }) => runsLast)];

/** Purges of data that is kept for a limited time, one for each table. */
export const purges = sources.flatMap(({ retention = [] }) => retention.map(createPurgeSweep));

/** The rows that an erasure certificate lists as kept. */
export const keptRows = sources.flatMap(({ kept = [] }) => kept);

/** The sections of a user's data export, by name. */
export const exportSections = Object.assign({}, ...sources.map(({ exported = {} }) => exported)) as NonNullable<
  PersonalData["exported"]
>;

/** Stores of personal data outside the database tables. */
export const otherStores: Readonly<Record<string, string>> = {
  "Stored files: scheduled reports (`reports/`)": "The user's reports are deleted; others expire after 7 days.",
  "Stored files: bulk uploads (`bulk-runs/`)": "Deleted after reading, within a day.",
  "Stored files: builds of the add-in (`software/`)": "Not personal.",
  "Stored files: archived licence events (`licence-events/`)":
    "Contain no machine names, Windows users or IP addresses.",
  "Queue (`pgboss`)": "Jobs contain only IDs. Addresses are removed from error messages.",
  "Payment provider":
    "The job `sync-payments` ends subscriptions and removes the name, email address and cards. It retries until it succeeds.",
  "Payment simulator (`payment_simulator`)": "Treated like the payment provider.",
  Logs: "Contain no addresses, names or SQL values.",
  "Browser storage": "Drafts exist only in their tab.",
  Backups: "Expire by your retention rules. `restore --erasures` erases again after a restore.",
};

/** Deletes a user's rate limits. The keys contain hashes, so the user's keys are found by hashing the same values. */
async function deleteRateLimits({ em, userId, subject }: Batch): Promise<BatchResult> {
  const [user] = await query<{ handle: string }>(em, "select confirmation_handle as handle from users where id = $1", [
    userId,
  ]);
  const hashes = [userId, user?.handle ?? userId, ...subject.addresses].map(hashSecret);
  const keys = Object.keys(rateLimitPoints).flatMap((name) => hashes.map((hash) => `${name}:${hash}`));
  const deleted = await query(em, "delete from rate_limits where key = any($1) returning key", [keys]);
  return { rows: deleted.length, isDone: true };
}
