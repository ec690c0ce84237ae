import type { PaymentError } from "./provider-objects.ts";

/** A refusal in the provider's shape; the `stripe` package turns it into the class of its `type`. */
export class ProviderError extends Error {
  constructor(
    readonly status: number,
    readonly error: Readonly<Record<string, unknown>> & { readonly message: string },
    /** What was done until the refusal stays done, as a failed payment does; otherwise nothing happened. */
    readonly keepsWork = false,
  ) {
    super(error.message);
  }
}

/** 400: the request itself is wrong. */
export function invalid(message: string, param?: string, code?: string): ProviderError {
  return new ProviderError(400, { type: "invalid_request_error", message, param, code });
}

/** 404: no object of that id, or not for this key. */
export function missing(what: string, id: string, param = "id"): ProviderError {
  const message = `No such ${what.replace("test_helpers.", "")}: '${id}'`;
  return new ProviderError(404, { type: "invalid_request_error", code: "resource_missing", message, param });
}

/** 501: the real provider may know it, the simulator does not, and it never pretends. */
export function notSimulated(what: string, param?: string): ProviderError {
  const message = `The payment simulator does not simulate ${what}.`;
  return new ProviderError(501, { type: "invalid_request_error", code: "not_simulated", message, param });
}

/** 402: the card said no. */
export function cardError(error: PaymentError, more: Record<string, unknown> = {}, keepsWork = false): ProviderError {
  return new ProviderError(402, { ...error, ...more }, keepsWork);
}
