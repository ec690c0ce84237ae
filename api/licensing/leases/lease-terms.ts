import { LicenceActivationType, needsSeat, typesWithSeats } from "#schema/licence.ts";
import { HOUR, MINUTE } from "#api/platform/clock.ts";
import type { LicenceFacts } from "#api/licensing/licences/licence-checks.ts";

/** Activation type that exists only on old licences. */
const FLOATING_WITH_PERIOD = LicenceActivationType.FloatingWithPeriod;

/** Returns whether the add-in needs a lease to run on a licence. */
export function isLeased(licence: Pick<LicenceFacts, "licenceActivationType">): boolean {
  return needsSeat(licence.licenceActivationType);
}

/** SQL condition: {@link isLeased} for licence `l`. */
export const isLeasedSql = `l.licence_activation_type in (${typesWithSeats.join(", ")})`;

/**
 * Returns how long a seat is kept without a heartbeat, in milliseconds: two heartbeat intervals, or the lease period of
 * an old floating licence that has one (docs/domain.md#seats).
 */
export function leaseTimeMs(
  licence: Pick<LicenceFacts, "licenceActivationType" | "heartbeatMinutes" | "leaseHours">,
): number {
  const hasPeriod = licence.licenceActivationType === FLOATING_WITH_PERIOD && licence.leaseHours > 0;
  return hasPeriod ? licence.leaseHours * HOUR : 2 * licence.heartbeatMinutes * MINUTE;
}

/** SQL expression that calculates {@link leaseTimeMs} of licence `l` as an interval. */
export const leaseTimeSql = `case
  when l.licence_activation_type = ${FLOATING_WITH_PERIOD} and l.limit_floating_lease_period_to_hours > 0
    then make_interval(hours => l.limit_floating_lease_period_to_hours)
  else make_interval(mins => 2 * l.floating_heart_beat_interval_minutes)
end`;
