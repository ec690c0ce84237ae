import { labelOf, productLevels } from "#schema/catalogue.ts";
import { after, DAY } from "#api/platform/clock.ts";
import type { BulkOptions, BulkRun } from "./bulk-run.entity.ts";
import { dayInFile } from "./judge-values.ts";
import { isRunningSql } from "#api/selling/subscriptions/subscription-states.ts";

/** What must be known of a licence to say whether it can be extended or deactivated. */
export interface LicenceFacts {
  readonly id: string;
  readonly supportCode: string;
  readonly licenceCode: string;
  readonly productLevel: number;
  readonly userId: string;
  /** Milliseconds since 1970, UTC. */
  readonly expiresMs: number;
  readonly isRevoked: boolean;
  readonly isArchived: boolean;
  /** A subscription keeps it, and says when it ends. */
  readonly isSubscribed: boolean;
}

/** Selects {@link LicenceFacts} of `licences l`. */
export const selectLicenceFacts = `
  select l.id, l.support_code as "supportCode", l.licence_code as "licenceCode", l.product_level as "productLevel",
         l.user_id as "userId", floor(extract(epoch from l.expires_at) * 1000)::float8 as "expiresMs",
         l.revoked_at is not null as "isRevoked", u.archived_at is not null as "isArchived",
         exists (select from subscriptions s where s.licence_id = l.id and ${isRunningSql})
           as "isSubscribed"
    from licences l join users u on u.id = l.user_id`;

/** Why a run leaves a licence alone; null when it does not. */
export function refusalOfLicence(licence: LicenceFacts): string | null {
  if (licence.isRevoked) return "Has been deactivated, which is final.";
  if (licence.isArchived) return "Its user is archived.";
  if (licence.isSubscribed) return "Follows a running subscription, which would have to end first.";
  return null;
}

/** What a run would do to a licence, in words, and what it would write. */
export function judgeLicence(
  { kind, options }: Pick<BulkRun, "kind" | "options">,
  licence: LicenceFacts,
  now: Date,
): { refusal: string } | { says: string; details: object } {
  const refusal = refusalOfLicence(licence);
  if (refusal) return { refusal };
  const level = labelOf(productLevels, licence.productLevel);
  const from = new Date(licence.expiresMs);
  if (kind === "deactivate-licences")
    return { says: `Deactivates ${level}, which runs until ${dayInFile(from)}.`, details: {} };
  const to = newEnd(options, from, now);
  if (to.getUTCFullYear() > 9_999) return { refusal: "Would run beyond the year 9999." };
  if (to <= from) return { refusal: `Runs until ${dayInFile(from)} already.` };
  return {
    says: `Extends ${level} from ${dayInFile(from)} to ${dayInFile(to)}.`,
    details: { from: from.toISOString(), to: to.toISOString() },
  };
}

/** Days are added to the licence's own end, or to now where that has passed. */
function newEnd({ expiresAt, addDays = 0 }: BulkOptions, from: Date, now: Date): Date {
  if (expiresAt) return new Date(expiresAt);
  return after(from > now ? from : now, addDays * DAY);
}
