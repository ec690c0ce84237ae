import { type Feature, featuresOfProductLevel, trialLevels } from "#schema/catalogue.ts";
import type { Licence } from "./licence.entity.ts";

/** Status of a licence at a moment (docs/domain.md#licence-status). */
export enum LicenceStatus {
  ACTIVE = "ACTIVE",
  EXPIRED = "EXPIRED",
  SUSPENDED = "SUSPENDED",
  REVOKED = "REVOKED",
}

type Dates = Pick<Licence, "revokedAt" | "suspendedAt" | "expiresAt">;

/**
 * The definition of a licence's status, for loaded licences and for SQL: the first that applies decides, and a licence
 * to which none applies is active.
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
export function statusOfLicence(licence: Dates, now: Date): LicenceStatus {
  return definition.find(({ applies }) => applies(licence, now))?.status ?? LicenceStatus.ACTIVE;
}

/**
 * SQL: a value for the status of the licence with alias `licence`.
 * @param now SQL of the moment
 * @param values SQL for each status, its name unless given
 */
export function licenceStatusSql(
  licence: string,
  now: string,
  values: (status: LicenceStatus) => string = (status) => `'${status}'`,
): string {
  const cases = definition.map(({ status, sql }) => `when ${sql(licence, now)} then ${values(status)}`);
  return `case ${cases.join(" ")} else ${values(LicenceStatus.ACTIVE)} end`;
}

/** SQL: the licence `l` is neither revoked nor suspended. Several indexes have this condition. */
export const isInForceSql = "l.revoked_at is null and l.suspended_at is null";

/** SQL: the status of the licence `l` is active. @param now SQL of the moment */
export const isActiveLicenceSql = (now: string) => `${isInForceSql} and l.expires_at > ${now}`;

/** Whether a product level is a trial's: a day of offline grace, and one trial a device (docs/domain.md#one-trial). */
export function isTrialLevel(productLevel: number): boolean {
  return trialLevels.includes(productLevel);
}

/** Returns the features of a product level; none for an unknown level. */
export function featuresOf(productLevel: number): readonly Feature[] {
  return featuresOfProductLevel[productLevel] ?? [];
}

/** The product levels that carry every one of the features; all levels when none is asked for. */
export function levelsWithFeatures(wanted: readonly string[]): number[] {
  return Object.entries(featuresOfProductLevel)
    .filter(([, carried]) => wanted.every((feature) => (carried as readonly string[]).includes(feature)))
    .map(([level]) => Number(level));
}
