import Stripe from "stripe";
import { AppError, notFound } from "#api/platform/errors.ts";
import { CardRefused } from "./payments.ts";

const AWAY =
  "We cannot reach the payment provider at the moment. Nothing was charged twice; please try again in a minute.";

const fieldOfParameter: Readonly<Record<string, CardRefused["field"]>> = {
  number: "cardNumber",
  exp_month: "expiryDate",
  exp_year: "expiryDate",
  cvc: "cvc",
};

const fieldOfCode: Readonly<Record<string, CardRefused["field"]>> = {
  incorrect_number: "cardNumber",
  invalid_number: "cardNumber",
  invalid_expiry_month: "expiryDate",
  invalid_expiry_year: "expiryDate",
  expired_card: "expiryDate",
  incorrect_cvc: "cvc",
  invalid_cvc: "cvc",
};

/** Sentences for the reasons that a customer can do something about; all others get {@link declined}. */
const sentenceOfCode: Readonly<Record<string, string>> = {
  insufficient_funds: "Your card has insufficient funds. Please use another card.",
  expired_card: "Your card has expired. Please use another card.",
  incorrect_cvc: "The security code of your card is incorrect.",
  invalid_cvc: "The security code of your card is incorrect.",
  incorrect_number: "The card number is not valid.",
  invalid_number: "The card number is not valid.",
  invalid_expiry_month: "The expiry date of your card is not valid.",
  invalid_expiry_year: "The expiry date of your card is not valid.",
  processing_error: "Your bank could not process the payment. Please try again in a minute.",
};

const declined = "Your card was declined. Please use another card or ask your bank.";
const toBeConfirmed =
  "Your bank asks you to confirm this payment. Please update your payment details, which lets you confirm the card, and try again.";

/** What a customer reads of a declined payment, by the provider's code and the bank's. */
export function sentenceOfDecline(code: string | null | undefined, declineCode: string | null | undefined): string {
  return sentenceOfCode[declineCode ?? ""] ?? sentenceOfCode[code ?? ""] ?? declined;
}

/**
 * Runs a call to the provider and turns its failures into ours.
 * @throws CardRefused for whatever is wrong with the card; AppError UNAVAILABLE when the provider is away, errs
 * or has too much to do; every other failure is a fault of ours and passes through.
 */
export async function asking<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw translated(error);
  }
}

/**
 * Runs a call that takes a payment method into use.
 * @throws CardRefused also for one that the provider does not know, or that is somebody else's.
 */
export async function usableCard<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code !== "idempotency_key_in_use")
      throw new CardRefused("This card cannot be used. Please enter it again.");
    throw error;
  }
}

/** Runs a refund and accepts that the charge is already refunded, as after an idempotency key has expired. */
export async function unlessRefunded(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    const isRefunded =
      error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "charge_already_refunded";
    if (!isRefunded) throw error;
  }
}

function translated(error: unknown): unknown {
  if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
    return away();
  if (error instanceof Stripe.errors.StripeRateLimitError) return away();
  if (error instanceof Stripe.errors.StripeIdempotencyError)
    return new AppError("CONFLICT", { message: "This was sent with other card details a moment ago. Please reload." });
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  if (error.code === "resource_missing" && error.message.toLowerCase().includes("setup")) return notFound();
  // The first request under the same key is still being worked on.
  if (error.code === "idempotency_key_in_use" || error.code === "lock_timeout") return away();
  if (isAuthenticationWanted(error)) return new CardRefused(toBeConfirmed, "card", true);
  const field = fieldOfCode[error.code ?? ""] ?? fieldOfParameter[lastPart(error.param)];
  if (error instanceof Stripe.errors.StripeCardError || field)
    return new CardRefused(
      sentenceOfDecline(error.code, (error as { decline_code?: string }).decline_code),
      field ?? "card",
    );
  return error;
}

function isAuthenticationWanted({ code }: InstanceType<typeof Stripe.errors.StripeError>): boolean {
  return (
    code === "authentication_required" ||
    code === "invoice_payment_intent_requires_action" ||
    code === "subscription_payment_intent_requires_action"
  );
}

function lastPart(parameter: string | undefined): string {
  return parameter?.replace(/\]$/u, "").split("[").at(-1) ?? "";
}

function away(): AppError {
  return new AppError("UNAVAILABLE", { message: AWAY, retryAfterSeconds: 30 });
}
