import { sum } from "./cents.ts";
import { cardError, notSimulated } from "./parameters.ts";
import type { CardBehaviour, PaymentError, PaymentMethod } from "./objects.ts";

type CardFacts = Pick<PaymentMethod, "card" | "sim">;

const messages: Readonly<Record<string, string>> = {
  insufficient_funds: "Your card has insufficient funds.",
  expired_card: "Your card has expired.",
  incorrect_cvc: "Your card's security code is incorrect.",
  authentication_required: "Your card was declined. This transaction requires authentication.",
};

/** Creates the error for a declined card from the provider's code and the bank's code. */
export function createDecline(code: string, declineCode?: string): PaymentError {
  const message = messages[declineCode ?? ""] ?? messages[code] ?? "Your card was declined.";
  return { type: "card_error", code, ...(declineCode ? { decline_code: declineCode } : {}), message };
}

const pays: CardBehaviour = { does: "pays" };
const declines = (code: string, declineCode?: string): CardBehaviour => ({
  does: "declines",
  error: createDecline(code, declineCode),
});

/**
 * The provider's test cards: number, behaviour and predefined payment method. Every other number is rejected, so a real
 * card is never stored. One card behaves differently from the provider's: 4000000000000341 pays the first charge and
 * declines later ones, so that a renewal can fail. At the provider it declines every charge, as
 * `pm_card_chargeCustomerFail` does here.
 */
const testCards: readonly (readonly [number: string, behaviour: CardBehaviour, token?: string])[] = [
  ["4242424242424242", pays, "pm_card_visa"],
  ["5555555555554444", pays, "pm_card_mastercard"],
  ["378282246310005", pays],
  ["4000000000000002", declines("card_declined", "generic_decline"), "pm_card_visa_chargeDeclined"],
  ["4000000000009995", declines("card_declined", "insufficient_funds"), "pm_card_visa_chargeDeclinedInsufficientFunds"],
  ["4000000000000069", declines("expired_card"), "pm_card_chargeDeclinedExpiredCard"],
  ["4000000000000127", declines("incorrect_cvc"), "pm_card_chargeDeclinedIncorrectCvc"],
  ["4000000000000341", { does: "pays once" }],
  ["4000000000000341", { does: "declines when charged" }, "pm_card_chargeCustomerFail"],
  ["4000002500003155", { does: "requires authentication once" }, "pm_card_authenticationRequiredOnSetup"],
  ["4000002760003184", { does: "requires authentication always" }, "pm_card_authenticationRequired"],
  ["4000000000000259", { does: "disputes" }, "pm_card_createDispute"],
];

function hasValidChecksum(number: string): boolean {
  const digits = number.split("").toReversed().map(Number);
  const values = digits.map((digit, index) => (index % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit));
  return sum(values) % 10 === 0;
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
  const month = details.exp_month;
  const year = details.exp_year < 100 ? 2_000 + details.exp_year : details.exp_year;
  const thisYear = today.getUTCFullYear();
  const isOver = year === thisYear && month < today.getUTCMonth() + 1;
  const cvcLength = findBrand(number) === "amex" ? 4 : 3;
  const refuse = (code: string, message: string, param: string) =>
    cardError({ type: "card_error", code, message }, param);
  if (!/^\d{12,19}$/.test(number) || !hasValidChecksum(number))
    throw refuse("incorrect_number", "Your card number is incorrect.", "number");
  if (month < 1 || month > 12 || isOver)
    throw refuse("invalid_expiry_month", "Your card's expiration month is invalid.", "exp_month");
  if (year < thisYear || year > thisYear + 50)
    throw refuse("invalid_expiry_year", "Your card's expiration year is invalid.", "exp_year");
  if (details.cvc !== undefined && !new RegExp(`^\\d{${cvcLength}}$`).test(details.cvc))
    throw refuse("invalid_cvc", "Your card's security code is invalid.", "cvc");
  const known = testCards.find(([testNumber]) => testNumber === number);
  if (!known) {
    const message = "Your card was declined. Your request was in test mode, but used a non test card.";
    throw cardError({ type: "card_error", code: "card_declined", decline_code: "test_mode_live_card", message });
  }
  return buildCard(number, known[1], { month, year });
}

/**
 * Returns the card of a predefined payment method such as `pm_card_visa`, or undefined for any other id.
 * @throws ProviderError if the id starts with `pm_card_` but the simulator doesn't support it.
 */
export function findTestCard(id: string): CardFacts | undefined {
  if (!id.startsWith("pm_card_")) return undefined;
  const known = testCards.find(([, , token]) => token === id);
  if (!known) throw notSimulated(`the payment method ${id}`, "payment_method");
  return buildCard(known[0], known[1], { month: 12, year: 2_099 });
}

function findBrand(number: string): string {
  return number.startsWith("3") ? "amex" : number.startsWith("5") ? "mastercard" : "visa";
}

/** Builds the stored card. Only the brand and the last four digits of the number are kept. */
function buildCard(number: string, behaviour: CardBehaviour, { month, year }: { month: number; year: number }) {
  return {
    card: { brand: findBrand(number), last4: number.slice(-4), exp_month: month, exp_year: year },
    sim: { behaviour, paid: 0, setUp: false },
  };
}
