/**
 * Reasons of banks in words, by the provider's decline code or error code. Customers and staff read the same words, so a
 * card that was reported lost or stolen isn't named as such.
 */
const reasons: Readonly<Record<string, string>> = {
  insufficient_funds: "Insufficient funds",
  expired_card: "The card has expired",
  incorrect_cvc: "Wrong security code",
  invalid_cvc: "Wrong security code",
  incorrect_number: "Wrong card number",
  invalid_number: "Wrong card number",
  invalid_account: "The card or its account is closed",
  card_not_supported: "The card doesn't allow this kind of payment",
  currency_not_supported: "The card doesn't allow payments in Australian dollars",
  card_velocity_exceeded: "The card's limit is reached",
  withdrawal_count_limit_exceeded: "The card's limit is reached",
  authentication_required: "The bank wants the customer to confirm the payment",
  processing_error: "The bank couldn't process the payment",
  issuer_not_available: "The bank couldn't be reached",
  try_again_later: "The bank couldn't process the payment",
};

const NO_REASON = "Declined by the bank without a reason";

/** Returns the bank's reason for a failed payment in words, from the provider's code and the bank's code. */
export function describeBankReason(code: string | null | undefined, declineCode: string | null | undefined): string {
  return reasons[declineCode ?? ""] ?? reasons[code ?? ""] ?? NO_REASON;
}
