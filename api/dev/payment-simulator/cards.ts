import { cardError, missing, notSimulated } from "./errors.ts";
import { digest } from "./identifiers.ts";
import type { CardBehaviour, PaymentError, PaymentMethod } from "./provider-objects.ts";

type CardFacts = Pick<PaymentMethod, "card" | "sim">;

const pays: CardBehaviour = { does: "pays" };
const createDecline = (code: string, declineCode: string | null = null): CardBehaviour => ({
  does: "declines",
  code,
  declineCode,
});
const genericDecline = createDecline("card_declined", "generic_decline");
const insufficientFunds = createDecline("card_declined", "insufficient_funds");

/**
 * The provider's test card numbers. Every other number is rejected, so a real card is never stored. One card behaves
 * differently from the provider's: 4000000000000341 pays the first charge and declines later ones, so that a renewal
 * can fail. At the provider it declines every charge, as `pm_card_chargeCustomerFail` does here.
 */
const NUMBERS: Readonly<Record<string, CardBehaviour>> = {
  "4242424242424242": pays,
  "4000000360000006": pays,
  "5555555555554444": pays,
  "378282246310005": pays,
  "4000000000000002": genericDecline,
  "4000000000009995": insufficientFunds,
  "4000000000000069": createDecline("expired_card"),
  "4000000000000127": createDecline("incorrect_cvc"),
  "4000000000000341": { does: "pays once" },
  "4000002500003155": { does: "requires authentication once" },
  "4000002760003184": { does: "requires authentication always" },
  "4000000000000259": { does: "disputes" },
};

/** The provider's predefined payment methods, with their card number and a behaviour if it differs from the number's. */
const TOKENS: Readonly<Record<string, { number: string; behaviour?: CardBehaviour }>> = {
  pm_card_visa: { number: "4242424242424242" },
  pm_card_au: { number: "4000000360000006" },
  pm_card_mastercard: { number: "5555555555554444" },
  pm_card_amex: { number: "378282246310005" },
  pm_card_chargeDeclined: { number: "4000000000000002" },
  pm_card_visa_chargeDeclined: { number: "4000000000000002" },
  pm_card_visa_chargeDeclinedInsufficientFunds: { number: "4000000000009995" },
  pm_card_chargeDeclinedInsufficientFunds: { number: "4000000000009995" },
  pm_card_chargeDeclinedExpiredCard: { number: "4000000000000069" },
  pm_card_chargeDeclinedIncorrectCvc: { number: "4000000000000127" },
  pm_card_chargeCustomerFail: { number: "4000000000000341", behaviour: { does: "declines when charged" } },
  pm_card_authenticationRequiredOnSetup: { number: "4000002500003155" },
  pm_card_authenticationRequired: { number: "4000002760003184" },
  pm_card_createDispute: { number: "4000000000000259" },
};

const MESSAGES: Readonly<Record<string, string>> = {
  insufficient_funds: "Your card has insufficient funds.",
  expired_card: "Your card has expired.",
  incorrect_cvc: "Your card's security code is incorrect.",
  authentication_required: "Your card was declined. This transaction requires authentication.",
};

/** Creates the error for a declined card from the provider's code and the bank's code. */
export function createDeclineError(code: string, declineCode: string | null): PaymentError {
  const message = MESSAGES[declineCode ?? ""] ?? MESSAGES[code] ?? "Your card was declined.";
  return { type: "card_error", code, ...(declineCode ? { decline_code: declineCode } : {}), message };
}

function createFieldError(code: string, message: string, param: string) {
  return cardError({ type: "card_error", code, message }, { param });
}

function hasValidChecksum(number: string): boolean {
  const sum = number
    .split("")
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/**
 * Validates card details entered by a user and returns the test card they describe.
 * @throws ProviderError for the first invalid field, or if the number isn't a test card.
 */
export function readCard(
  details: { number: string; exp_month: number; exp_year: number; cvc?: string | undefined },
  today: Date,
): CardFacts {
  const number = details.number.replaceAll(/[ -]/g, "");
  if (!/^\d{12,19}$/.test(number) || !hasValidChecksum(number))
    throw createFieldError("incorrect_number", "Your card number is incorrect.", "number");
  if (details.exp_month < 1 || details.exp_month > 12)
    throw createFieldError("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
  const year = details.exp_year < 100 ? 2_000 + details.exp_year : details.exp_year;
  const thisYear = today.getUTCFullYear();
  if (year < thisYear || year > thisYear + 50)
    throw createFieldError("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
  if (year === thisYear && details.exp_month < today.getUTCMonth() + 1)
    throw createFieldError("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
  const cvcLength = findBrand(number) === "amex" ? 4 : 3;
  if (details.cvc !== undefined && !new RegExp(`^\\d{${cvcLength}}$`).test(details.cvc))
    throw createFieldError("invalid_cvc", "Your card's security code is invalid.", "cvc");
  const behaviour = NUMBERS[number];
  if (!behaviour) {
    const message = "Your card was declined. Your request was in test mode, but used a non test card.";
    throw cardError({ type: "card_error", code: "card_declined", decline_code: "test_mode_live_card", message });
  }
  return buildCard(number, behaviour, { month: details.exp_month, year, cvc: details.cvc !== undefined });
}

/**
 * Returns the card of a predefined payment method such as `pm_card_visa`, or undefined for any other id.
 * @throws ProviderError if the id starts with `pm_card_` but the simulator doesn't support it.
 */
export function findTestCard(token: string): CardFacts | undefined {
  if (!token.startsWith("pm_card_")) return undefined;
  const entry = TOKENS[token];
  if (!entry) throw notSimulated(`the payment method ${token}`, "payment_method");
  const behaviour = entry.behaviour ?? NUMBERS[entry.number];
  if (!behaviour) throw missing("PaymentMethod", token);
  return buildCard(entry.number, behaviour, { month: 12, year: 2_099, cvc: true });
}

function findBrand(number: string): string {
  return number.startsWith("3") ? "amex" : number.startsWith("5") ? "mastercard" : "visa";
}

/** Builds the stored card. Only the brand, the last four digits and a fingerprint of the number are kept. */
function buildCard(
  number: string,
  behaviour: CardBehaviour,
  { month, year, cvc }: { month: number; year: number; cvc: boolean },
): CardFacts {
  return {
    card: {
      brand: findBrand(number),
      display_brand: findBrand(number),
      country: number === "4000000360000006" ? "AU" : "US",
      exp_month: month,
      exp_year: year,
      fingerprint: digest(`test card ${number}`).slice(0, 16),
      funding: "credit",
      last4: number.slice(-4),
      checks: { cvc_check: cvc ? "unchecked" : null, address_line1_check: null, address_postal_code_check: null },
      three_d_secure_usage: { supported: true },
    },
    sim: { behaviour, paid: 0, setUp: false },
  };
}
