import type { PaymentError, PaymentIntent, SetupIntent } from "./objects.ts";

/** An error in the provider's format. The `stripe` package converts it to the error class of its `type`. */
export class ProviderError extends Error {
  constructor(
    readonly status: number,
    readonly error: Readonly<Record<string, unknown>> & { readonly message: string },
    /** True if changes made before the error are kept, such as a failed payment. Otherwise they are rolled back. */
    readonly keepsChanges = false,
  ) {
    super(error.message);
  }
}

/** Creates a 400 error for an invalid request. */
export function invalid(message: string, param?: string, code?: string): ProviderError {
  return new ProviderError(400, { type: "invalid_request_error", message, param, code });
}

/** Creates a 404 error for an object that doesn't exist or isn't visible to the API key. */
export function missing(what: string, id: string, param = "id"): ProviderError {
  const message = `No such ${what.replace("test_helpers.", "")}: '${id}'`;
  return new ProviderError(404, { type: "invalid_request_error", code: "resource_missing", message, param });
}

/** Creates a 501 error for a feature the provider may have but the simulator doesn't. */
export function notSimulated(what: string, param?: string): ProviderError {
  const message = `The payment simulator does not simulate ${what}.`;
  return new ProviderError(501, { type: "invalid_request_error", code: "not_simulated", message, param });
}

/** Creates a 402 error for a card that is declined before an intent uses it. */
export function cardError(error: PaymentError, param?: string): ProviderError {
  return new ProviderError(402, { ...error, param });
}

/**
 * Creates the 402 error for an intent whose card was declined, or which requires authentication that the request can't give.
 * @param what the request's object in the error code, such as `subscription_payment_intent_requires_action`
 */
export function intentError(
  intent: PaymentIntent | SetupIntent,
  { what = "invoice", keepsChanges }: { what?: "invoice" | "subscription"; keepsChanges: boolean },
): ProviderError {
  const declined = intent.object === "payment_intent" ? intent.last_payment_error : intent.last_setup_error;
  const message = "Payment requires additional user action before it can be completed successfully.";
  const error =
    declined && intent.status !== "requires_action"
      ? declined
      : { type: "card_error", code: `${what}_payment_intent_requires_action`, message };
  const { id, object, status } = intent;
  return new ProviderError(402, { ...error, [object]: { id, object, status } }, keepsChanges);
}
