import { AppError } from "#api/platform/errors.ts";
import type { Payments } from "./payments.ts";

/** Returns the error for everything that needs the payment provider while card payments are off. */
export function buildPaymentsOffError(): AppError {
  return new AppError("UNPROCESSABLE", {
    message: "Card payments are switched off. Write to us to pay by bank transfer.",
  });
}

/**
 * Creates the payments of a production process without STRIPE_SECRET_KEY. Nothing is read from a provider, and every call
 * that would need one throws AppError UNPROCESSABLE with a message for the customer.
 */
export function createPaymentsOff(): Payments {
  const available: Pick<Payments, "cardEntry" | "listEvents"> = {
    cardEntry: { kind: "off", publishableKey: "" },
    listEvents: async () => [],
  };
  return new Proxy(available, {
    get: (target, name) =>
      Object.hasOwn(target, name)
        ? target[name as keyof typeof target]
        : () => {
            throw buildPaymentsOffError();
          },
  }) as Payments;
}
