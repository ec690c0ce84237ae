import { LockMode } from "@mikro-orm/core";
import { randomUUID } from "node:crypto";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import {
  createInvalidPromoCodeError,
  findPromoCode,
  getMaximumRedemptions,
  type PromoCode,
  rejectUnusable,
} from "./promo-code.entity.ts";

/**
 * Time for which a checkout may reserve a code, in milliseconds. This is long enough for a slow provider and the bank's
 * authentication.
 */
const HOLD_MS = 30 * MINUTE;

/**
 * Reserves a promo code for a checkout, in the transaction of `em` or in a new one. Locks the code's row, so a code
 * never has more reservations and redemptions than its maximum. A repeated call for the same checkout renews its
 * reservation, or replaces it if the code is different. A code that the checkout has redeemed stays redeemed.
 * @throws AppError BAD_USER_INPUT on `promoCode`, as {@link rejectUnusable} does, or if it is unknown or used up.
 */
export async function reservePromoCode(
  context: Pick<Context, "clock">,
  em: EntityManager,
  values: { readonly code: string; readonly planPriceId: string; readonly userId: string; readonly checkoutId: string },
): Promise<PromoCode> {
  const work = async (tx: EntityManager): Promise<PromoCode> => {
    const now = context.clock.now();
    const promoCode = await findPromoCode(tx, values.code, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    if (!promoCode) throw createInvalidPromoCodeError();
    const { userId, checkoutId } = values;
    const ownRedemptions = await query(
      tx,
      `select from promo_redemptions where checkout_id = $1 and promo_code_id = $2 and user_id = $3 and state = 'redeemed'`,
      [checkoutId, promoCode.id, userId],
    );
    if (ownRedemptions.length > 0) return promoCode;
    rejectUnusable(promoCode, values.planPriceId, now);
    const maximum = getMaximumRedemptions(promoCode);
    if (Number.isFinite(maximum)) {
      // Delete expired reservations instead of ignoring them. Otherwise a late payment could redeem the code
      // once too often.
      await query(
        tx,
        `delete from promo_redemptions where promo_code_id = $1 and state = 'held' and held_until <= $2 and checkout_id <> $3`,
        [promoCode.id, now, checkoutId],
      );
      const others = await query(tx, "select from promo_redemptions where promo_code_id = $1 and checkout_id <> $2", [
        promoCode.id,
        checkoutId,
      ]);
      if (others.length >= maximum) throw createInvalidPromoCodeError();
    }
    const reservations = await query(
      tx,
      `insert into promo_redemptions (id, promo_code_id, user_id, checkout_id, state, held_until, created_at)
       values ($1, $2, $3, $4, 'held', $5, $6)
       on conflict (checkout_id) do update set promo_code_id = excluded.promo_code_id, held_until = excluded.held_until
         where promo_redemptions.state = 'held' and promo_redemptions.user_id = excluded.user_id
       returning id`,
      [randomUUID(), promoCode.id, userId, checkoutId, addMilliseconds(now, HOLD_MS), now],
    );
    if (reservations.length === 0) throw createInvalidPromoCodeError();
    return promoCode;
  };
  return inTransaction({ em }, work);
}

/**
 * Redeems the code that a checkout has reserved, once the checkout is paid. Idempotent.
 * @returns true if the checkout has redeemed a code; false if it reserved none, or its reservation of a code with a
 *   maximum expired and others took the code.
 */
export async function redeemPromoCode(em: EntityManager, checkoutId: string): Promise<boolean> {
  const redeemed = await query(
    em,
    "update promo_redemptions set state = 'redeemed', held_until = null where checkout_id = $1 returning id",
    [checkoutId],
  );
  return redeemed.length > 0;
}

/** Releases the code of a checkout that wasn't paid. Does nothing if the code was redeemed or none is reserved. */
export async function releasePromoCode(em: EntityManager, checkoutId: string): Promise<void> {
  await query(em, "delete from promo_redemptions where checkout_id = $1 and state = 'held'", [checkoutId]);
}
