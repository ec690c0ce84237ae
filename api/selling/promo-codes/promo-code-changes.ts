import { LockMode, UniqueConstraintViolationException } from "@mikro-orm/core";
import { DiscountType } from "#schema/catalogue.ts";
import { auditedValuesOf } from "#schema/fields/field.ts";
import { promoCodeFields, readDiscount } from "#schema/fields/promo-code.ts";
import type { PromoCodeValues } from "#schema/rules/promo-code.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { listChangesSince, refuseStale, type StaffChange } from "#api/audit/change-log/changes-since.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { comparedPromoCode } from "./find-promo-code.ts";
import { fillInStanding } from "./list-promo-codes.ts";
import { PromoCode } from "./promo-code.entity.ts";

/**
 * Adds a promo code.
 * @throws AppError CONFLICT, with a sentence for `code`, when another code has the same words; BAD_USER_INPUT.
 */
export async function addPromoCode(context: Context, values: PromoCodeValues): Promise<PromoCode> {
  return unlessTaken(context, async (em) => {
    const promoCode = em.create(PromoCode, { ...columnsOf(values), createdAt: context.clock.now() });
    const { id, code } = promoCode;
    await noteChange(context, em, {
      action: "add-promo-code",
      subject: { type: "promo-code", id, name: code },
      userId: null,
      after: notedOf(promoCode),
    });
    await fillInStanding(context, em, [promoCode]);
    return promoCode;
  });
}

/**
 * Changes a promo code for uses from now on: a checkout that holds it was priced before and stays so. Its row is locked
 * as in {@link holdPromoCode}, so that a use sees all of a change or nothing of it. Values that change nothing write
 * nothing.
 * @param began the revision that a form shows; one that is over is refused
 * @throws AppError NOT_FOUND, also for a deleted one; CONFLICT and BAD_USER_INPUT as {@link addPromoCode}; CONFLICT with
 * the reason STALE_REVISION.
 */
export async function updatePromoCode(
  context: Context,
  id: string,
  values: PromoCodeValues,
  began?: number,
): Promise<PromoCode> {
  return unlessTaken(context, async (em) => {
    const promoCode = await lockPromoCode(em, id);
    const { revision } = promoCode;
    await refuseStale(em, { action: "update-promo-code", noun: "promo code", id: promoCode.id, revision }, began);
    const before = notedOf(promoCode);
    em.assign(promoCode, columnsOf(values));
    if (JSON.stringify(before) !== JSON.stringify(notedOf(promoCode))) promoCode.revision += 1;
    await noteChange(context, em, {
      action: "update-promo-code",
      subject: { type: "promo-code", id: promoCode.id, name: promoCode.code },
      userId: null,
      before,
      after: notedOf(promoCode),
    });
    await fillInStanding(context, em, [promoCode]);
    return promoCode;
  });
}

/**
 * Deletes a promo code: nobody can use it from now on. Its row and redemptions stay, and what a checkout holds is paid
 * at its price; its words are free for another code.
 * @throws AppError NOT_FOUND, also for one that is deleted already.
 */
export async function deletePromoCode(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const promoCode = await lockPromoCode(em, id);
    promoCode.archivedAt = context.clock.now();
    await noteChange(context, em, {
      action: "delete-promo-code",
      subject: { type: "promo-code", id: promoCode.id, name: promoCode.code },
      userId: null,
      before: notedOf(promoCode),
    });
  });
}

/**
 * What staff changed of a promo code after a revision, oldest first.
 * @throws AppError NOT_FOUND, also for a deleted one.
 */
export async function listPromoCodeChanges({ em }: Context, id: string, since: number): Promise<StaffChange[]> {
  const promoCode = isUuid(id) && (await em.fork().findOne(PromoCode, { id, archivedAt: null }));
  if (!promoCode) throw notFound();
  return listChangesSince(em, { action: "update-promo-code", id: promoCode.id }, since);
}

async function lockPromoCode(em: EntityManager, id: string): Promise<PromoCode> {
  if (!isUuid(id)) throw notFound();
  const promoCode = await em.findOne(PromoCode, { id, archivedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!promoCode) throw notFound();
  return promoCode;
}

/** Runs work in a transaction; the unique index of live codes decides between two that want the same words. */
async function unlessTaken(context: Context, work: (em: EntityManager) => Promise<PromoCode>): Promise<PromoCode> {
  try {
    return await inTransaction(context, work);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const message = "Another promo code has these words already.";
    throw new AppError("CONFLICT", { message, fields: { code: [message] } });
  }
}

function columnsOf(values: PromoCodeValues) {
  const { code, discountType, discountValue, expiryDate, isOneTimeUseOnly } = values;
  const discount = readDiscount(discountType, discountValue);
  // The rules have refused it before, unless somebody calls past them.
  if (typeof discount === "string") throw badInput({ discountValue: [discount] });
  const isPercentage = discountType === DiscountType.Percentage;
  return {
    code,
    comparedCode: comparedPromoCode(code),
    discountType: isPercentage ? ("percentage" as const) : ("amount" as const),
    ...discount,
    expiresAt: expiryDate ?? null,
    isOneTimeUseOnly,
  };
}

function notedOf(promoCode: PromoCode) {
  return { ...auditedValuesOf(promoCodeFields, promoCode), revision: promoCode.revision };
}
