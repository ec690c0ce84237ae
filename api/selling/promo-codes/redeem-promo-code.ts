import { LockMode } from "@mikro-orm/core";
import { randomUUID } from "node:crypto";
import { after, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { comparedPromoCode, hasExpired, unusablePromoCode } from "./find-promo-code.ts";
import { PromoCode } from "./promo-code.entity.ts";

/** How long a checkout may hold a code before others get it: time for a slow provider and an authentication step. */
const HOLD_MS = 30 * MINUTE;

/**
 * Reserves a promo code for a checkout, in the transaction of `em` or one of its own. The code's row is locked, so that
 * of a one-time code one hold or redemption lives over all users, however many ask. The same checkout asking again
 * keeps its hold, renewed; with another code it changes over. What a checkout has redeemed stays redeemed.
 * @throws AppError BAD_USER_INPUT on `promoCode`, alike for unknown, expired and used codes.
 */
export async function holdPromoCode(
  context: Pick<Context, "clock">,
  em: EntityManager,
  values: { readonly code: string; readonly userId: string; readonly checkoutId: string },
): Promise<PromoCode> {
  const work = async (tx: EntityManager): Promise<PromoCode> => {
    const now = context.clock.now();
    const promoCode = await tx.findOne(
      PromoCode,
      { comparedCode: comparedPromoCode(values.code), archivedAt: null },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
    if (!promoCode) throw unusablePromoCode();
    const { userId, checkoutId } = values;
    const redeemed = await query(
      tx,
      `select from promo_redemptions where checkout_id = $1 and promo_code_id = $2 and user_id = $3 and state = 'redeemed'`,
      [checkoutId, promoCode.id, userId],
    );
    if (redeemed.length > 0) return promoCode;
    if (hasExpired(promoCode, now)) throw unusablePromoCode();
    if (promoCode.isOneTimeUseOnly) {
      // A lapsed hold must be gone, not only ignored: its late payment could otherwise redeem the code a second time.
      await query(
        tx,
        `delete from promo_redemptions where promo_code_id = $1 and state = 'held' and held_until <= $2 and checkout_id <> $3`,
        [promoCode.id, now, checkoutId],
      );
      const others = await query(tx, "select from promo_redemptions where promo_code_id = $1 and checkout_id <> $2", [
        promoCode.id,
        checkoutId,
      ]);
      if (others.length > 0) throw unusablePromoCode();
    }
    const held = await query(
      tx,
      `insert into promo_redemptions (id, promo_code_id, user_id, checkout_id, state, held_until, created_at)
       values ($1, $2, $3, $4, 'held', $5, $6)
       on conflict (checkout_id) do update set promo_code_id = excluded.promo_code_id, held_until = excluded.held_until
         where promo_redemptions.state = 'held' and promo_redemptions.user_id = excluded.user_id
       returning id`,
      [randomUUID(), promoCode.id, userId, checkoutId, after(now, HOLD_MS), now],
    );
    if (held.length === 0) throw unusablePromoCode();
    return promoCode;
  };
  return inTransaction({ em }, work);
}

/**
 * Makes a checkout's hold final once it is paid; saying so again does no harm.
 * @returns whether the checkout has redeemed a code; false when it held none, or lost a one-time code to somebody else
 *   after its hold had lapsed.
 */
export async function redeemPromoCode(em: EntityManager, checkoutId: string): Promise<boolean> {
  await query(
    em,
    "update promo_redemptions set state = 'redeemed', held_until = null where checkout_id = $1 and state = 'held'",
    [checkoutId],
  );
  const redeemed = await query(em, "select from promo_redemptions where checkout_id = $1 and state = 'redeemed'", [
    checkoutId,
  ]);
  return redeemed.length > 0;
}

/** Gives a checkout's code back when it was not paid. What is redeemed stays so; no hold does no harm. */
export async function releasePromoCode(em: EntityManager, checkoutId: string): Promise<void> {
  await query(em, "delete from promo_redemptions where checkout_id = $1 and state = 'held'", [checkoutId]);
}
