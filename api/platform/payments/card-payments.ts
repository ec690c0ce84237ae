import type { ProviderPayment } from "./provider-data.ts";

/** Single charges of a card, without a subscription. `paymentId` is our id of a payment. */
export interface CardPayments {
  /**
   * Charges a card while the customer is present, once for each `paymentId`, however often and however late the call is
   * repeated. Charges the saved card if `paymentMethodId` is null.
   * @throws CardRefusedError if the card can't be used, or there is no saved card. A declined charge isn't an error.
   */
  payByCard(payment: {
    customerId: string;
    paymentMethodId: string | null;
    amountCents: number;
    description: string;
    paymentId: string;
  }): Promise<ProviderPayment>;

  /** Returns the payment with a `paymentId`; null if no charge was attempted. */
  findCardPayment(payment: { customerId: string; paymentId: string }): Promise<ProviderPayment | null>;

  /** Cancels a payment that isn't complete. Does nothing if it was paid in the meantime. */
  cancelCardPayment(payment: { customerId: string; paymentId: string }): Promise<void>;
}
