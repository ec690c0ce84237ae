import { type Feature, featuresOfProductLevel, trialLevels } from "#schema/catalogue.ts";
import type { Licence } from "./licence.entity.ts";

/** Status of a licence at a moment (docs/domain.md#licence-status). */
export enum LicenceStatus {
  ACTIVE = "ACTIVE",
  EXPIRED = "EXPIRED",
  SUSPENDED = "SUSPENDED",
  REVOKED = "REVOKED",
}

/** Status of a licence at `now`; what lasts longer outweighs: revoked, suspended, expired, active. */
export function statusOfLicence(
  licence: Pick<Licence, "revokedAt" | "suspendedAt" | "expiresAt">,
  now: Date,
): LicenceStatus {
  if (licence.revokedAt) return LicenceStatus.REVOKED;
  if (licence.suspendedAt) return LicenceStatus.SUSPENDED;
  return licence.expiresAt <= now ? LicenceStatus.EXPIRED : LicenceStatus.ACTIVE;
}

/** Whether a product level is a trial's: a day of offline grace, and one trial a device. */
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
