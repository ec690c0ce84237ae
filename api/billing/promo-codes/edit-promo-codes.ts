import {
  type ChangedPromoCodeValues,
  DiscountType,
  parseDiscount,
  promoCodeFields,
  promoCodeRules,
  type PromoCodeValues,
} from "#schema/promo-code.ts";
import { getAuditedValues } from "#schema/field.ts";
import { planPriceOptions } from "#schema/plan-catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import {
  type EntityManager,
  getRow,
  inTransaction,
  inUniqueTransaction,
  lockRow,
  query,
} from "#api/platform/database/database.ts";
import { badInput, conflict } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { listChangesSince, rejectStaleRevision, type StaffChange } from "#api/audit/change-log/changes-since.ts";
import { recordChange, type RecordedChange } from "#api/audit/change-log/record-change.ts";
import { hasPromoCodeStarted, isPromoCodeExpired, normalizePromoCode, PromoCode } from "./promo-code.entity.ts";

/**
 * Creates a promo code.
 * @throws AppError CONFLICT, with a message for `code`, if the code already exists; BAD_USER_INPUT.
 */
export async function addPromoCode(context: Context, values: PromoCodeValues): Promise<PromoCode> {
  return inUniqueTransaction(context, codeTaken, async (em) => {
    const promoCode = em.create(PromoCode, { ...toColumns(values), createdAt: context.clock.now() });
    await record(context, em, promoCode, { action: "add-promo-code", after: toAuditValues(promoCode) });
    await loadUsageAndExpiry(context, em, [promoCode]);
    return promoCode;
  });
}

/** Rules for the limits of a changed code, whose start may be the stored one. */
const limitRules = promoCodeRules.pick(["startDate", "expiryDate"]);

/**
 * Changes a promo code for future uses. Checkouts that have already reserved it keep their price. Locks the row as
 * {@link reservePromoCode} does, so a checkout never sees a half-applied change. Saving identical values writes
 * nothing.
 * @param began revision that the form was loaded with; an outdated one is rejected
 * @throws AppError NOT_FOUND if it doesn't exist or was deleted; CONFLICT and BAD_USER_INPUT as {@link addPromoCode}
 * does; CONFLICT with the reason STALE_REVISION.
 */
export async function updatePromoCode(
  context: Context,
  id: string,
  values: ChangedPromoCodeValues,
  began?: number,
): Promise<PromoCode> {
  return inUniqueTransaction(context, codeTaken, async (em) => {
    const promoCode = await lockRow(em, PromoCode, { id, archivedAt: null });
    const { revision } = promoCode;
    await rejectStaleRevision(
      em,
      { action: "update-promo-code", noun: "promo code", id: promoCode.id, revision },
      began,
    );
    const before = toAuditValues(promoCode);
    em.assign(promoCode, toColumns(values));
    check(limitRules, { startDate: promoCode.startsAt, expiryDate: promoCode.expiresAt });
    if (JSON.stringify(before) !== JSON.stringify(toAuditValues(promoCode))) promoCode.revision += 1;
    await record(context, em, promoCode, { action: "update-promo-code", before, after: toAuditValues(promoCode) });
    await loadUsageAndExpiry(context, em, [promoCode]);
    return promoCode;
  });
}

/**
 * Deletes a promo code, so it can't be used any more. The row and its redemptions are kept, open checkouts keep their
 * price, and a new code with the same text can be created.
 * @throws AppError NOT_FOUND if it doesn't exist or was already deleted.
 */
export async function deletePromoCode(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (em) => {
    const promoCode = await lockRow(em, PromoCode, { id, archivedAt: null });
    promoCode.archivedAt = context.clock.now();
    await record(context, em, promoCode, { action: "delete-promo-code", before: toAuditValues(promoCode) });
  });
}

/**
 * Undoes the deletion of a promo code, so that it can be used again. Idempotent.
 * @throws AppError NOT_FOUND; CONFLICT if a new code with the same text exists.
 */
export async function restorePromoCode(context: Context, id: string): Promise<PromoCode> {
  return inUniqueTransaction(context, codeTaken, async (em) => {
    const promoCode = await lockRow(em, PromoCode, id);
    if (promoCode.archivedAt) {
      promoCode.archivedAt = null;
      await record(context, em, promoCode, { action: "restore-promo-code", after: toAuditValues(promoCode) });
      // The unique index has to reject a duplicate before the usage is counted.
      await em.flush();
    }
    await loadUsageAndExpiry(context, em, [promoCode]);
    return promoCode;
  });
}

/**
 * Returns the changes that staff made to a promo code after a revision, oldest first.
 * @throws AppError NOT_FOUND if it doesn't exist or was deleted.
 */
export async function listPromoCodeChanges({ em }: Context, id: string, since: number): Promise<StaffChange[]> {
  const promoCode = await getRow(em.fork(), PromoCode, { id, archivedAt: null });
  return listChangesSince(em, { action: "update-promo-code", id: promoCode.id }, since);
}

/** Error of a change when the unique index on codes that aren't deleted rejects a duplicate. */
const codeTaken = () => conflict("This promo code already exists.", "code");

/** Returns the columns of the values. Omits columns whose value isn't given. */
function toColumns(values: ChangedPromoCodeValues) {
  const { code, discountType, discountValue, startDate, expiryDate, planPriceIds, ...limits } = values;
  const discount = parseDiscount(discountType, discountValue);
  // The validation rules normally reject an invalid discount before this.
  if (typeof discount === "string") throw badInput({ discountValue: [discount] });
  const isPercentage = discountType === DiscountType.Percentage;
  return {
    code,
    comparedCode: normalizePromoCode(code),
    discountType: isPercentage ? ("percentage" as const) : ("amount" as const),
    ...discount,
    expiresAt: expiryDate,
    ...limits,
    ...(startDate === undefined ? {} : { startsAt: startDate }),
    // In the order of the catalogue, so that the same plans are no change.
    ...(planPriceIds && {
      planPriceIds: planPriceOptions.map(({ value }) => value).filter((id) => planPriceIds.includes(id)),
    }),
  };
}

const record = (
  context: Context,
  em: EntityManager,
  { id, code }: PromoCode,
  change: Pick<RecordedChange, "action" | "before" | "after">,
) => recordChange(context, em, { subject: { type: "promo-code", id, name: code }, userId: null, ...change });

function toAuditValues(promoCode: PromoCode) {
  return { ...getAuditedValues(promoCodeFields, promoCode), revision: promoCode.revision };
}

/** Returns all promo codes that aren't deleted, newest first, with their number of redemptions. */
export async function listPromoCodes(context: Context): Promise<PromoCode[]> {
  const em = context.em.fork();
  const codes = await em.find(PromoCode, { archivedAt: null }, { orderBy: { createdAt: "desc", id: "desc" } });
  await loadUsageAndExpiry(context, em, codes);
  return codes;
}

/** Sets the number of redemptions of each code and whether it has started and expired. */
async function loadUsageAndExpiry(
  context: Pick<Context, "clock">,
  em: EntityManager,
  codes: readonly PromoCode[],
): Promise<void> {
  const uses = await query<{ id: string; times: number }>(
    em,
    `select promo_code_id as id, count(*)::int as times from promo_redemptions
      where promo_code_id = any($1) and state = 'redeemed' group by promo_code_id`,
    [codes.map((code) => code.id)],
  );
  const times = new Map(uses.map((row) => [row.id, row.times]));
  const now = context.clock.now();
  for (const code of codes) {
    code.timesUsed = times.get(code.id) ?? 0;
    code.hasStarted = hasPromoCodeStarted(code, now);
    code.isExpired = isPromoCodeExpired(code, now);
  }
}
