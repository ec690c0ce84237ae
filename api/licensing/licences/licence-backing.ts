import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { createSlot } from "#api/platform/slots.ts";
import type { Licence } from "./licence.entity.ts";

/** Access to the subscriptions that pay for licences. */
export interface LicenceBacking {
  /** Returns whether a user pays for a running subscription. */
  hasActiveSubscription: (context: Pick<Context, "em">, userId: string) => Promise<boolean>;
  /** Ends the subscription behind a licence, in the transaction of `em`; returns whether one was running. */
  endSubscription: (context: Context, em: EntityManager, licence: Licence) => Promise<boolean>;
  /** Releases the deferred revenue of licences that ended early, in the transaction of `em`. */
  releaseRevenue: (em: EntityManager, licenceIds: readonly string[], endedAt: Date) => Promise<void>;
  /** SQL condition: a subscription renews the licence with table alias `l`. */
  isRenewedSql: string;
}

export const licenceBacking = createSlot<LicenceBacking>("the subscriptions behind licences");
