import Stripe from "stripe";
import { BELOW_CARD_MINIMUM } from "#schema/money.ts";
import { AppError, conflict, notFound } from "#api/platform/errors.ts";
import { providerRefusals } from "#api/platform/observe/metrics.ts";
import { CardRefusedError } from "./payments.ts";

const PROVIDER_UNAVAILABLE =
  "We cannot reach the payment provider at the moment. Please try again in a minute. You will not be charged twice.";

const fieldByParameter: Readonly<Record<string, CardRefusedError["field"]>> = {
  number: "cardNumber",
  exp_month: "expiryDate",
  exp_year: "expiryDate",
  cvc: "cvc",
};

const fieldByCode: Readonly<Record<string, CardRefusedError["field"]>> = {
  incorrect_number: "cardNumber",
  invalid_number: "cardNumber",
  invalid_expiry_month: "expiryDate",
  invalid_expiry_year: "expiryDate",
  expired_card: "expiryDate",
  incorrect_cvc: "cvc",
  invalid_cvc: "cvc",
};

const AUTHENTICATION_REQUIRED =
  "Your bank requires you to confirm this payment. Please enter the card again in your payment details. If that doesn't help, use another card or contact us.";

/** Messages for the reasons a customer can act on. Every other reason gets {@link DECLINED}. */
const messageByCode: Readonly<Record<string, string>> = {
  insufficient_funds: "Your card has insufficient funds. Please use another card.",
  expired_card: "Your card has expired. Please use another card.",
  incorrect_cvc: "The security code of your card is incorrect.",
  invalid_cvc: "The security code of your card is incorrect.",
  incorrect_number: "The card number is not valid.",
  invalid_number: "The card number is not valid.",
  invalid_expiry_month: "The expiry date of your card is not valid.",
  invalid_expiry_year: "The expiry date of your card is not valid.",
  authentication_required: AUTHENTICATION_REQUIRED,
  processing_error: "Your bank could not process the payment. Please try again in a minute.",
};

const DECLINED = "Your card was declined. Please use another card or contact your bank.";

/** Returns the message shown to a customer for a declined payment, from the provider's code and the bank's code. */
export function describeDecline(code: string | null | undefined, declineCode: string | null | undefined): string {
  return messageByCode[declineCode ?? ""] ?? messageByCode[code ?? ""] ?? DECLINED;
}

/**
 * Translates the errors of the provider that the functions of an object throw.
 * @throws CardRefusedError if the card is the problem; AppError UNAVAILABLE if the provider is unreachable, fails or limits
 * our request rate. Any other error indicates a bug on our side and is rethrown unchanged.
 */
export function translateErrors<Calls extends object>(calls: Calls): Calls {
  const translated = Object.entries(calls).map(([name, call]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await call(...args);
      } catch (error) {
        throw translateError(error);
      }
    },
  ]);
  return Object.fromEntries(translated) as Calls;
}

/**
 * Runs a call that attaches or uses a payment method.
 * @throws CardRefusedError if the provider doesn't know the payment method, or it belongs to another customer.
 */
export async function rejectUnusableCard<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new CardRefusedError(
        error.code === "amount_too_small" ? BELOW_CARD_MINIMUM : "This card cannot be used. Please enter it again.",
      );
    throw error;
  }
}

/**
 * Runs a call and ignores its error with a code, such as the one of an invoice that another request paid in the meantime.
 */
export async function ignoreCode(code: string, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== code) throw error;
  }
}

/** Returns whether the customer has to confirm a payment with the bank. */
export function requiresAuthentication(error: unknown): boolean {
  const codes = [
    "authentication_required",
    "invoice_payment_intent_requires_action",
    "subscription_payment_intent_requires_action",
  ];
  return error instanceof Stripe.errors.StripeError && codes.includes(error.code ?? "");
}

function translateError(error: unknown): unknown {
  // An API error is also a request whose first attempt the provider is still processing.
  if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
    return providerUnavailable(error);
  if (error instanceof Stripe.errors.StripeRateLimitError) return providerUnavailable(error);
  // Our key was revoked or lacks a permission. Only the operator can correct that.
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    providerRefusals.inc();
    return providerUnavailable(error);
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError)
    return conflict("This request was already sent with different card details. Reload the page and try again.");
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  if (error.code === "resource_missing" && /setup|payment_?intent/i.test(error.message)) return notFound();
  if (requiresAuthentication(error)) return new CardRefusedError(AUTHENTICATION_REQUIRED);
  const field = fieldByCode[error.code ?? ""] ?? fieldByParameter[getLastSegment(error.param)];
  if (error instanceof Stripe.errors.StripeCardError || field)
    return new CardRefusedError(
      describeDecline(error.code, (error as { decline_code?: string }).decline_code),
      field ?? "card",
    );
  return error;
}

function getLastSegment(parameter: string | undefined): string {
  return parameter?.replace(/\]$/u, "").split("[").at(-1) ?? "";
}

function providerUnavailable(cause: Error): AppError {
  return new AppError("UNAVAILABLE", { message: PROVIDER_UNAVAILABLE, retryAfterSeconds: 30, cause });
}
