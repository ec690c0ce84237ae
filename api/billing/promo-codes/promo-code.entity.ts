import { type FindOneOptions, type Opt, types } from "@mikro-orm/core";
import { Check, Entity, Property, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, Int, ObjectType } from "type-graphql";
import { DiscountType, discountTypes } from "#schema/promo-code.ts";
import {
  Cents,
  Classified,
  Flag,
  Integer,
  Moment,
  RowId,
  SqlIndex,
  Text,
  Reference,
  Uuid,
} from "#api/platform/database/columns.ts";
import { enumType, VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { cleanKey } from "#schema/clean-text.ts";
import { formatPlanPrices } from "#schema/plan-catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { type AppError, badInput } from "#api/platform/errors.ts";
import { formatSellerDate } from "#schema/dates.ts";
import type { Discount } from "#api/billing/plans/price-quote.ts";

/** A code that gives a discount on the first invoice of a subscription (docs/domain.md#promo-codes). */
@VisibleTo("admin", { readThrough: "Query.promoCodes" })
@ObjectType({ description: "A code that gives a discount on the first invoice of a subscription." })
@Entity({ tableName: "promo_codes" })
@SqlIndex("create unique index promo_codes_one_of_each on promo_codes (compared_code) where archived_at is null")
@Check({ name: "promo_codes_one_discount", expression: "num_nonnulls(basis_points, amount_cents) = 1" })
export class PromoCode {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** The code as the admin typed it. */
  @Text("The code as customers type it. Not case-sensitive.", { personal: "none" })
  code!: string;

  /** The code normalised for comparison: trimmed and in upper case. */
  @Text({ personal: "none" })
  comparedCode!: string;

  @Text({ personal: "none" })
  discountType!: "percentage" | "amount";

  @Integer("Discount in basis points, where 1,000 is 10 %; null for dollars off.", { nullable: true })
  basisPoints: number | null = null;

  @Cents("Discount on the price without GST; null for a percentage.", { nullable: true })
  amountCents: number | null = null;

  @Moment("The moment from which the code can be used; null if it can be used at once.", { nullable: true })
  startsAt: Date | null = null;

  @Moment("The last moment at which the code can be used; null if it never expires.", { nullable: true })
  expiresAt: Date | null = null;

  @Flag("Whether the code can be redeemed only once across all users.")
  isOneTimeUseOnly: Opt<boolean> = false;

  /** The plan prices that the code is for. Empty means all of them. */
  @Classified("none")
  @Property({ type: types.array, defaultRaw: "'{}'" })
  planPriceIds: Opt<string[]> = [];

  @Integer("Maximum number of redemptions across all users; null if there is none.", { nullable: true })
  maximumRedemptions: number | null = null;

  @Moment()
  createdAt!: Date;

  /**
   * Set when an admin deletes the code. The code can't be used any more, its redemptions are kept, and a new code with
   * the same text can be created.
   */
  @Moment({ nullable: true })
  archivedAt: Date | null = null;

  /** Incremented with every change, to detect conflicting edits (decision 0031). */
  @Integer("Incremented with every change. Send the value you loaded when you update the code.", { default: 1 })
  revision: Opt<number> = 1;

  /** Calculated when the code is loaded for display. */
  @Field(() => Boolean, { description: "Whether the code has expired." })
  @Property({ type: types.boolean, persist: false })
  isExpired: Opt<boolean> = false;

  /** Calculated when the code is loaded for display. */
  @Field(() => Boolean, { description: "Whether the code's start has passed." })
  @Property({ type: types.boolean, persist: false })
  hasStarted: Opt<boolean> = true;

  /** Counted when the code is loaded for display. */
  @Field(() => Int, { description: "Number of times the code was redeemed." })
  @Property({ type: types.integer, persist: false })
  timesUsed: Opt<number> = 0;

  @Field(enumType(discountTypes), { name: "discountType", description: discountTypes.meaning })
  get discountTypeValue(): Opt<number> {
    return this.discountType === "percentage" ? DiscountType.Percentage : DiscountType.DollarsOff;
  }
}

/** One use of a promo code: reserved while its checkout is being paid, then redeemed. */
@Entity({ tableName: "promo_redemptions" })
export class PromoRedemption {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => PromoCode, { personal: "none" })
  promoCode!: PromoCode;

  @Index()
  @Reference(() => User, { personal: { kept: "Accounting records; also prevent a second use of a one-time code." } })
  user!: User;

  /** The checkout that uses the code. Each checkout uses at most one code. */
  @Unique()
  @Uuid({ personal: { kept: "Accounting records; also prevent a second use of a one-time code." } })
  checkoutId!: string;

  @Text({ personal: "none" })
  state: Opt<"held" | "redeemed"> = "held";

  /** Time the reservation expires; null once redeemed. */
  @Moment({ nullable: true })
  heldUntil: Date | null = null;

  @Moment()
  createdAt!: Date;
}

/** Normalises a promo code for comparison: in one spelling and in upper case. */
export function normalizePromoCode(code: string): string {
  return cleanKey(code).toUpperCase().normalize("NFKC");
}

export function getDiscount(promoCode: PromoCode): Discount {
  return promoCode.discountType === "percentage"
    ? { kind: "percentage", basisPoints: promoCode.basisPoints ?? 0 }
    : { kind: "amount", cents: promoCode.amountCents ?? 0 };
}

/**
 * Returns the error for a promo code that can't be used. It doesn't reveal whether the code is unknown, expired or used
 * up.
 */
export function createInvalidPromoCodeError(): AppError {
  return badInput({ promoCode: ["Sorry, that promo code is not valid."] });
}

/** Finds a promo code that isn't deleted, and locks its row if requested. */
export function findPromoCode(em: EntityManager, code: string, options?: FindOneOptions<PromoCode>) {
  return em.findOne(PromoCode, { comparedCode: normalizePromoCode(code), archivedAt: null }, options ?? {});
}

/**
 * Finds a promo code that the caller can use now for a plan price. Doesn't reserve it; {@link reservePromoCode} does.
 * @throws AppError BAD_USER_INPUT on `promoCode`, as {@link rejectUnusable} does, or if it is unknown or used up.
 */
export async function findUsablePromoCode(
  context: Pick<Context, "clock" | "actor">,
  em: EntityManager,
  code: string,
  planPriceId: string,
): Promise<PromoCode> {
  const promoCode = await findPromoCode(em, code);
  const now = context.clock.now();
  if (!promoCode) throw createInvalidPromoCodeError();
  rejectUnusable(promoCode, planPriceId, now);
  const taken = await em.count(PromoRedemption, {
    promoCode: promoCode.id,
    $or: [
      { state: "redeemed" },
      { heldUntil: { $gt: now }, ...(context.actor ? { user: { $ne: context.actor.userId } } : {}) },
    ],
  });
  if (taken >= getMaximumRedemptions(promoCode)) throw createInvalidPromoCodeError();
  return promoCode;
}

/**
 * Rejects a promo code outside its days and for other plans.
 * @throws AppError BAD_USER_INPUT on `promoCode`. Only an expired code has the message of an unknown one.
 */
export function rejectUnusable(promoCode: PromoCode, planPriceId: string, now: Date): void {
  const { startsAt, planPriceIds } = promoCode;
  if (isPromoCodeExpired(promoCode, now)) throw createInvalidPromoCodeError();
  if (startsAt && !hasPromoCodeStarted(promoCode, now))
    throw badInput({ promoCode: [`You can use this promo code from ${formatSellerDate(startsAt)}.`] });
  if (planPriceIds.length > 0 && !planPriceIds.includes(planPriceId))
    throw badInput({ promoCode: [`This promo code is only for ${formatPlanPrices(planPriceIds)}.`] });
}

/** Returns how often a code can be redeemed across all users. */
export function getMaximumRedemptions({ isOneTimeUseOnly, maximumRedemptions }: PromoCode): number {
  return isOneTimeUseOnly ? 1 : (maximumRedemptions ?? Number.POSITIVE_INFINITY);
}

export function hasPromoCodeStarted({ startsAt }: PromoCode, now: Date): boolean {
  return startsAt === null || startsAt <= now;
}

export function isPromoCodeExpired(promoCode: PromoCode, now: Date): boolean {
  return promoCode.expiresAt !== null && promoCode.expiresAt <= now;
}
