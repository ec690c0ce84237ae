import { array, boolean, date, type InferType, object, string } from "yup";
import { cleanNumber } from "./clean-text.ts";
import { defineList } from "./closed-list.ts";
import { getEndOfDay, getStartOfDay } from "./days.ts";
import { defineFields, getRules } from "./field.ts";
import { readDay, toMoment, vendorDays } from "./moment.ts";
import { formatAud, parseCents } from "./money.ts";
import { MAX_PRICE_CENTS } from "./plan.ts";
import { planPriceOptions } from "./plan-catalogue.ts";
import { keyLine, line, mapText, numberOfList, numeric, revision } from "./text.ts";

export const discountTypes = defineList("DiscountType", "How a promo code reduces a price.", {
  PERCENTAGE: [0, "Percentage", "By a percentage of the price without GST."],
  DOLLARS_OFF: [1, "Dollars Off", "By an amount in Australian dollars."],
});

export const DiscountType = { Percentage: 0, DollarsOff: 1 } as const;

const PERCENTAGE = "Must be a percentage above 0 and up to 100, with at most two decimals.";
const AMOUNT_OFF = "Must be an amount above A$0.00, such as A$50.00.";
const TOO_MUCH_OFF = `Must be at most ${formatAud(MAX_PRICE_CENTS)}.`;

/** A parsed discount: either basis points (1,000 = 10 %) or cents; the other field is null. */
interface ParsedDiscount {
  readonly basisPoints: number | null;
  readonly amountCents: number | null;
}

/**
 * Parses a discount that staff typed (docs/domain.md#rest-money): a percentage such as `12.5` for type 0, dollars such
 * as `50` or `A$50.00` for type 1. Works on the digits to avoid floating-point rounding.
 * @returns the discount, or an error message if the text isn't a valid discount
 */
export function parseDiscount(discountType: number, typed: string): ParsedDiscount | string {
  if (discountType === DiscountType.Percentage) {
    const [, whole, decimals = ""] = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(cleanNumber(typed)) ?? [];
    const basisPoints = whole === undefined ? 0 : Number(whole + decimals.padEnd(2, "0"));
    return basisPoints > 0 && basisPoints <= 10_000 ? { basisPoints, amountCents: null } : PERCENTAGE;
  }
  const amountCents = parseCents(typed) ?? 0;
  if (amountCents <= 0) return AMOUNT_OFF;
  return amountCents <= MAX_PRICE_CENTS ? { basisPoints: null, amountCents } : TOO_MUCH_OFF;
}

/**
 * Builds the rule for the first or last moment of a code. A date without a time is a day in the vendor's time zone, which is
 * included. Empty text and 0001-01-01 mean no limit.
 */
const limitDate = (toDayLimit: (day: string) => Date) =>
  date()
    .nullable()
    .transform((_value: unknown, original: unknown) => readLimit(original, toDayLimit))
    .typeError("Must be a date.")
    .default(null)
    .meta(vendorDays);

function readLimit(original: unknown, toDayLimit: (day: string) => Date): Date | null | undefined {
  if (original === "") return null;
  const moment = toMoment(original);
  if (!moment || Number.isNaN(moment.getTime())) return moment;
  if (moment.toISOString().startsWith("0001-01-01")) return null;
  const day = readDay(original);
  return day === null ? moment : toDayLimit(day);
}

const MAXIMUM = "Must be a whole number from 1 to 1,000,000.";

/** The fields of a promo code that staff edit. */
export const promoCodeFields = defineFields({
  code: {
    label: "Promo Code",
    rule: keyLine(50, "Promo code is too long.").required("Promo code is required."),
    example: "WELCOME10",
    stored: { code: "Code" },
  },
  discountType: {
    label: "Discount type",
    rule: numberOfList(discountTypes, "Discount type must be 0 (percentage) or 1 (dollars off).").required(
      "Discount type is required.",
    ),
    example: 0,
    list: discountTypes,
    // The type isn't stored, because it follows from which of the two discount values is stored.
    stored: {},
  },
  discountValue: {
    label: "Discount value",
    // The discount as typed. A JSON number is converted to text.
    rule: string()
      .transform(mapText((value) => value.trim()))
      .typeError("Must be text or a number.")
      .required("Discount value is required.")
      .test("discount", PERCENTAGE, function discount(value) {
        const { discountType } = this.parent as { discountType?: unknown };
        if (!value || (discountType !== 0 && discountType !== 1)) return true;
        const read = parseDiscount(discountType, value);
        return typeof read === "string" ? this.createError({ message: read }) : true;
      })
      .meta({
        jsonSchema: {
          type: ["string", "number"],
          description: "Percentage as typed, or an amount in dollars such as A$50.00",
        },
      }),
    example: 10,
    stored: { basisPoints: "Basis points", amountCents: "Amount in cents" },
  },
  startDate: {
    label: "Start Date",
    rule: limitDate(getStartOfDay).test("order", "The start must be before the expiry date.", function order(start) {
      const { expiryDate } = this.parent as { expiryDate?: Date | null };
      return !start || !expiryDate || start < expiryDate;
    }),
    example: "2025-12-01",
    stored: { startsAt: "Start Date" },
  },
  expiryDate: {
    label: "Expiry Date",
    rule: limitDate(getEndOfDay),
    example: "2025-12-31",
    stored: { expiresAt: "Expiry Date" },
  },
  planPriceIds: {
    label: "Plans",
    rule: array(
      string()
        .required()
        .oneOf(
          planPriceOptions.map(({ value }) => value),
          "Must be a plan price, such as xer-professional-yearly.",
        ),
    )
      .max(planPriceOptions.length, "Contains a plan twice.")
      .typeError("Must be a list of plan prices.")
      .default([]),
    example: ["xer-professional-yearly"],
  },
  maximumRedemptions: {
    label: "Maximum redemptions",
    rule: numeric()
      .nullable()
      .transform((value: number, original: unknown) => (original === "" ? null : value))
      .typeError(MAXIMUM)
      .integer(MAXIMUM)
      .min(1, MAXIMUM)
      .max(1_000_000, MAXIMUM)
      .default(null),
    example: 100,
  },
  isOneTimeUseOnly: {
    label: "One time use only",
    rule: boolean().typeError("Must be true or false.").default(false),
    example: false,
  },
});

/** Rules for the input of the portal's Apply button: the code, and the plan price to apply it to. */
export const applyPromoCodeRules = object({
  planPriceId: line(100).required("Subscription level is required."),
  promoCode: promoCodeFields.code.rule,
});
export type ApplyPromoCodeValues = InferType<typeof applyPromoCodeRules>;

const AMOUNT = "Must be an amount in cents.";

/** Body of `POST /v1/promoCode/validate`. `itemAmount` is the amount the client shows, in cents (docs/domain.md#server-prices). */
export const validatePromoCodeRules = object({
  itemAmount: numeric()
    .typeError(AMOUNT)
    .integer(AMOUNT)
    .min(0, AMOUNT)
    .max(1_000_000_000, AMOUNT)
    .required("Item amount is required."),
  promoCode: promoCodeFields.code.rule,
});
export type ValidatePromoCodeValues = InferType<typeof validatePromoCodeRules>;

/** Rules for a new promo code in the admin form, GraphQL and `POST /v1/promoCode`. */
export const promoCodeRules = object(getRules(promoCodeFields));
export type PromoCodeValues = InferType<typeof promoCodeRules>;

const { startDate, planPriceIds, maximumRedemptions, ...documented } = getRules(promoCodeFields);

/** Body of `PUT /v1/promoCode`. The fields that its documented clients don't know stay as they are if they aren't sent. */
export const changedPromoCodeRules = object({
  id: line(100).required("Promo code id is required."),
  ...documented,
  startDate: startDate.default(undefined),
  planPriceIds: planPriceIds.default(undefined),
  maximumRedemptions: maximumRedemptions.default(undefined),
  revision: revision(),
});
export type ChangedPromoCodeValues = Omit<InferType<typeof changedPromoCodeRules>, "id" | "revision">;
