import type { BulkKind } from "#schema/bulk-run.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { MemberType } from "#schema/user.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { BulkOptions, BulkRun } from "./bulk-run.entity.ts";
import type { CheckedRow } from "./store-rows.ts";
import { formatFileDate } from "./validate-values.ts";
import { isRunningSql } from "#api/billing/subscriptions/subscription.entity.ts";

/** The data that decides whether a licence can be extended or deactivated. */
export interface LicenceFacts {
  readonly id: string;
  readonly supportCode: string;
  readonly licenceCode: string;
  readonly productLevel: number;
  readonly userId: string;
  /** Expiry date, in milliseconds since 1970 UTC. */
  readonly expiresMs: number;
  readonly isRevoked: boolean;
  readonly isArchived: boolean;
  readonly isOfAdmin: boolean;
  /** True if a running subscription determines when the licence expires. */
  readonly isSubscribed: boolean;
  /** True if a trial has used all its conversions, so that it stays ended with a later expiry date. */
  readonly isUsedUp: boolean;
}

/** SQL that selects the {@link LicenceFacts} of `licences l`. */
export const selectLicenceFacts = `
  select l.id, l.support_code as "supportCode", l.licence_code as "licenceCode", l.product_level as "productLevel",
         l.user_id as "userId", floor(extract(epoch from l.expires_at) * 1000)::float8 as "expiresMs",
         l.revoked_at is not null as "isRevoked", u.archived_at is not null as "isArchived",
         u.member_type = ${MemberType.Admin} as "isOfAdmin",
         exists (select from subscriptions s where s.licence_id = l.id and ${isRunningSql})
           as "isSubscribed",
         coalesce(l.usage_count >= l.usage_limit, false) as "isUsedUp"
    from licences l join users u on u.id = l.user_id`;

/** Returns the reason a bulk run can't change a licence, or null if it can. */
export function findLicenceRefusal(kind: BulkKind, licence: LicenceFacts): string | null {
  if (licence.isRevoked) return "This licence has already been deactivated.";
  if (licence.isArchived) return "The user of this licence is archived.";
  // As when one licence is updated.
  if (licence.isOfAdmin && kind === "extend-licences") return "Admins can't have licences.";
  if (licence.isSubscribed) return "This licence belongs to an active subscription. End the subscription first.";
  return null;
}

/**
 * Returns the checked row of a licence, with its planned change or the reason why it can't be changed.
 * @param column label of the column that named the licence
 */
export function planLicenceRow(
  run: Pick<BulkRun, "kind" | "options">,
  licence: LicenceFacts,
  now: Date,
  column: string,
): Omit<CheckedRow, "rowNumber"> {
  const { id, userId, supportCode } = licence;
  const plan = planChange(run, licence, now);
  const row = { label: supportCode, key: id, keyColumn: column, userId, licenceId: id, supportCode };
  return "refusal" in plan
    ? { ...row, says: "", faults: [{ column, message: plan.refusal }] }
    : { ...row, ...plan, faults: [] };
}

/** Returns a description for the admin and the values to write, or the reason why the licence can't be changed. */
function planChange(
  { kind, options }: Pick<BulkRun, "kind" | "options">,
  licence: LicenceFacts,
  now: Date,
): { refusal: string } | { says: string; details: object } {
  const refusal = findLicenceRefusal(kind, licence);
  if (refusal) return { refusal };
  const level = findLabel(productLevels, licence.productLevel);
  const from = new Date(licence.expiresMs);
  if (kind === "deactivate-licences")
    return { says: `Deactivates ${level}, which expires on ${formatFileDate(from)}.`, details: {} };
  const to = calculateExpiry(options, from, now);
  if (to.getUTCFullYear() > 9_999) return { refusal: "The new expiry date would be after the year 9999." };
  if (to <= from) return { refusal: `This licence already runs until ${formatFileDate(from)}.` };
  const usedUp = licence.isUsedUp ? " All its conversions are used: add some on the user's Licences tab." : "";
  return {
    says: `Extends ${level} from ${formatFileDate(from)} to ${formatFileDate(to)}.${usedUp}`,
    details: { from: from.toISOString(), to: to.toISOString() },
  };
}

/**
 * Returns the expiry date given in the options, or adds their days to the licence's expiry date, or to now if it has
 * expired.
 */
function calculateExpiry({ expiresAt, addDays = 0 }: BulkOptions, from: Date, now: Date): Date {
  if (expiresAt) return new Date(expiresAt);
  return addMilliseconds(from > now ? from : now, addDays * DAY);
}
