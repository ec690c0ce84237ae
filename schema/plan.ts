import { boolean, type InferType, object, string } from "yup";
import { cleanNumber } from "./clean-text.ts";
import { isDay } from "./dates.ts";
import { formatAud, formatUsd, parseCents } from "./money.ts";
import { line, mapText, numeric, paragraphs, uuid } from "./text.ts";

/** Highest price of a period, and discount, in cents. No plan costs this much, so a larger amount is a typing error. */
export const MAX_PRICE_CENTS = 10_000_000;

const MIN_PRICE_CENTS = 100;
const AUD_RANGE = `Must be an amount from ${formatAud(MIN_PRICE_CENTS)} to ${formatAud(MAX_PRICE_CENTS)}.`;
const USD_RANGE = `Must be an amount from ${formatUsd(MIN_PRICE_CENTS)} to ${formatUsd(MAX_PRICE_CENTS)}.`;

const cents = (required: string, range: string, description: string) =>
  numeric()
    .typeError(range)
    .integer(range)
    .min(MIN_PRICE_CENTS, range)
    .max(MAX_PRICE_CENTS, range)
    .required(required)
    .meta({ jsonSchema: { description } });

const reason = paragraphs(500, "Must be at most 500 characters.").required("Reason is required.");
const key = uuid("Must be a UUID.").required("Key is required.");
const priceId = line(100).required("Price is required.");

const from = string()
  .meta({ scalar: "day" })
  .transform(mapText((value) => cleanNumber(value) || undefined))
  .matches(/^\d{4}-\d\d-\d\d$/, "Must be a date.")
  .test("day", "Must be a date.", (day) => !day || isDay(day));

/** Rules for a new price of a plan. Without a day, it is in force immediately. */
export const planPriceRules = object({
  priceId,
  audCents: cents("Price in AUD is required.", AUD_RANGE, "Cents, without GST"),
  usdCents: cents("Price in USD is required.", USD_RANGE, "US cents, without GST"),
  from,
  reason,
  key,
});
export type PlanPriceValues = InferType<typeof planPriceRules>;

/** Rules for taking a plan off sale, or putting it back on sale. */
export const planOnSaleRules = object({
  slug: line(100).required("Plan is required."),
  isOnSale: boolean().required("Whether the plan is on sale is required."),
  reason,
});
export type PlanOnSaleValues = InferType<typeof planOnSaleRules>;

/** Shortest notice of a new price before the renewal that charges it, in days (docs/domain.md#price-changes). */
export const NOTICE_DAYS = 30;

/** Rules for moving the subscribers of a plan to its current price. */
export const moveSubscribersRules = object({
  priceId,
  expectedAudCents: numeric().integer("Must be whole cents.").nullable(),
  reason,
  key,
});
export type MoveSubscribersValues = InferType<typeof moveSubscribersRules>;

/** Parses a US price as staff type it, such as `949.00` or `US$949.00`, to cents; null if it isn't one. */
export const parseUsd = (text: string): number | null =>
  /^\s*a/i.test(text) ? null : parseCents(text.replace(/^\s*usd?/i, ""));

/** Builds a rule for a price in dollars as staff type it. */
const typedPrice = (required: string, range: string, parse: (text: string) => number | null) =>
  line(20)
    .required(required)
    .test("amount", range, (text) => {
      const typed = parse(text);
      return typed !== null && typed >= MIN_PRICE_CENTS && typed <= MAX_PRICE_CENTS;
    });

/** Rules for the form of a new price, with amounts as staff type them. */
export const planPriceFormRules = object({
  aud: typedPrice("Price in AUD is required.", AUD_RANGE, parseCents),
  usd: typedPrice("Price in USD is required.", USD_RANGE, parseUsd),
  from,
  reason,
});
export type PlanPriceFormValues = InferType<typeof planPriceFormRules>;
