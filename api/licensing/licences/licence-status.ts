import { type Feature, featuresOfProductLevel, trialLevels } from "#schema/product-level.ts";
import { declareEnum } from "#api/platform/graphql/declare.ts";
import type { Licence } from "./licence.entity.ts";

/** Status of a licence at a point in time (docs/domain.md#licence-status). */
export const LicenceStatus = declareEnum("LicenceStatus", "Current status of a licence.", {
  ACTIVE: "Can be used.",
  EXPIRED: "The expiry date has passed.",
  SUSPENDED: "The account is archived, a payment is disputed or the subscription is paused. Can be lifted.",
  REVOKED: "Deactivated. Staff can reinstate a licence that they deactivated.",
});
export type LicenceStatus = keyof typeof LicenceStatus;

type Dates = Pick<Licence, "revokedAt" | "suspendedAt" | "expiresAt">;

/**
 * Defines a licence's status for loaded licences and for SQL. The first status that applies wins; if none applies, the
 * licence is active.
 */
const definition: readonly {
  readonly status: LicenceStatus;
  readonly applies: (licence: Dates, now: Date) => boolean;
  readonly sql: (licence: string, now: string) => string;
}[] = [
  {
    status: LicenceStatus.REVOKED,
    applies: ({ revokedAt }) => revokedAt !== null,
    sql: (licence) => `${licence}.revoked_at is not null`,
  },
  {
    status: LicenceStatus.SUSPENDED,
    applies: ({ suspendedAt }) => suspendedAt !== null,
    sql: (licence) => `${licence}.suspended_at is not null`,
  },
  {
    status: LicenceStatus.EXPIRED,
    applies: ({ expiresAt }, now) => expiresAt <= now,
    sql: (licence, now) => `${licence}.expires_at <= ${now}`,
  },
];

/** Returns the status of a loaded licence at `now`. */
export function getLicenceStatus(licence: Dates, now: Date): LicenceStatus {
  return definition.find(({ applies }) => applies(licence, now))?.status ?? LicenceStatus.ACTIVE;
}

/**
 * Returns SQL for the status of the licence with alias `licence`, or for a value that depends on the status.
 * @param now SQL expression of the time to check
 * @param values SQL for each status; defaults to its name
 */
export function licenceStatusSql(
  licence: string,
  now: string,
  values: (status: LicenceStatus) => string = (status) => `'${status}'`,
): string {
  const cases = definition.map(({ status, sql }) => `when ${sql(licence, now)} then ${values(status)}`);
  return `case ${cases.join(" ")} else ${values(LicenceStatus.ACTIVE)} end`;
}

/** SQL condition: the user `u` gets emails about their licences. An address that was never confirmed may be a stranger's. */
export const isEmailedSql = "u.archived_at is null and u.email_confirmed_at is not null";

/** SQL condition: licence `l` is neither revoked nor suspended. Several indexes have this condition. */
export const isInForceSql = "l.revoked_at is null and l.suspended_at is null";

/**
 * Returns an SQL condition: licence `l` is active.
 * @param now SQL expression of the time to check
 */
export const isActiveLicenceSql = (now: string) => `${isInForceSql} and l.expires_at > ${now}`;

/** SQL condition: licence `l` is a trial. The same rule as `isTrialLevel`. */
export const isTrialSql = `l.product_level in (${trialLevels.join(", ")})`;

/** Returns the features of a product level; an empty list for an unknown level. */
export function getFeatures(productLevel: number): readonly Feature[] {
  return featuresOfProductLevel[productLevel] ?? [];
}

/** Returns the product levels that include all the features, or all levels if the list is empty. */
export function levelsWithFeatures(wanted: readonly string[]): number[] {
  return Object.entries(featuresOfProductLevel)
    .filter(([, included]) => wanted.every((one) => (included as readonly string[]).includes(one)))
    .map(([level]) => Number(level));
}
