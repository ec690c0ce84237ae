import { cardError, missing, notSimulated } from "./errors.ts";
import { digest } from "./identifiers.ts";
import type { CardBehaviour, PaymentError, PaymentMethod } from "./provider-objects.ts";

type CardFacts = Pick<PaymentMethod, "card" | "sim">;

const pays: CardBehaviour = { does: "pays" };
const declines = (code: string, declineCode: string | null = null): CardBehaviour => ({
  does: "declines",
  code,
  declineCode,
});
const genericDecline = declines("card_declined", "generic_decline");
const insufficientFunds = declines("card_declined", "insufficient_funds");

/**
 * The provider's test numbers. Other numbers are refused, so that a real card never gets further than this.
 * One differs from the provider, where 4000000000000341 pays nothing at all: here it pays the first charge and
 * fails at the renewal; the provider's own behaviour hangs on `pm_card_chargeCustomerFail`.
 */
const NUMBERS: Readonly<Record<string, CardBehaviour>> = {
  "4242424242424242": pays,
  "4000000360000006": pays,
  "5555555555554444": pays,
  "378282246310005": pays,
  "4000000000000002": genericDecline,
  "4000000000009995": insufficientFunds,
  "4000000000000069": declines("expired_card"),
  "4000000000000127": declines("incorrect_cvc"),
  "4000000000000341": { does: "pays once" },
  "4000002500003155": { does: "asks once" },
  "4000002760003184": { does: "asks always" },
  "4000000000000259": { does: "disputes" },
};

/** The provider's ready-made payment methods: the number each stands for, and what differs from it. */
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

/** The error of a card that says no. */
export function declineError(code: string, declineCode: string | null): PaymentError {
  const message = MESSAGES[declineCode ?? ""] ?? MESSAGES[code] ?? "Your card was declined.";
  return { type: "card_error", code, ...(declineCode ? { decline_code: declineCode } : {}), message };
}

function typedWrong(code: string, message: string, param: string) {
  return cardError({ type: "card_error", code, message }, { param });
}

function luhnHolds(number: string): boolean {
  const sum = number
    .split("")
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/** Reads a typed card at `today`; throws the provider's error for the first field that is wrong. */
export function readCard(
  typed: { number: string; exp_month: number; exp_year: number; cvc?: string | undefined },
  today: Date,
): CardFacts {
  const number = typed.number.replaceAll(/[ -]/g, "");
  if (!/^\d{12,19}$/.test(number) || !luhnHolds(number))
    throw typedWrong("incorrect_number", "Your card number is incorrect.", "number");
  if (typed.exp_month < 1 || typed.exp_month > 12)
    throw typedWrong("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
  const year = typed.exp_year < 100 ? 2_000 + typed.exp_year : typed.exp_year;
  const thisYear = today.getUTCFullYear();
  if (year < thisYear || year > thisYear + 50)
    throw typedWrong("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
  if (year === thisYear && typed.exp_month < today.getUTCMonth() + 1)
    throw typedWrong("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
  const cvcLength = findBrand(number) === "amex" ? 4 : 3;
  if (typed.cvc !== undefined && !new RegExp(`^\\d{${cvcLength}}$`).test(typed.cvc))
    throw typedWrong("invalid_cvc", "Your card's security code is invalid.", "cvc");
  const behaviour = NUMBERS[number];
  if (!behaviour) {
    const message = "Your card was declined. Your request was in test mode, but used a non test card.";
    throw cardError({ type: "card_error", code: "card_declined", decline_code: "test_mode_live_card", message });
  }
  return buildCard(number, behaviour, { month: typed.exp_month, year, cvc: typed.cvc !== undefined });
}

/** The card that a ready-made payment method stands for; undefined when the id is not one of those. */
export function readToken(token: string): CardFacts | undefined {
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

/** Of the number nothing is kept but its brand, its last four digits and the digest that tells equal cards. */
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
