import type { Ref } from "react";
import type { Control } from "react-hook-form";

/** The fields of a card, by their names in a form. */
export type CardFieldName = "cardNumber" | "expiryDate" | "cvc";

/**
 * State of each card field in a form (`""`, `incomplete`, `wrong`, `past`, `complete`, or a message of the provider). The
 * form never sees the input.
 */
export type CardFieldStates = Record<CardFieldName, string>;

export const blankCard: CardFieldStates = { cardNumber: "", expiryDate: "", cvc: "" };

/** Either the provider's own fields in frames, our own fields for the payment simulator, or none. */
export interface CardSource {
  readonly kind: "PROVIDER" | "SIMULATOR" | "OFF";
  readonly publishableKey: string;
}

/** Result of submitting a card: a payment method id that is safe to send, or the reason for the refusal. */
export type CardResult =
  | { readonly kind: "taken"; readonly paymentMethodId: string }
  | { readonly kind: "refused"; readonly field: CardFieldName; readonly message: string };

/** Submits a card and requests the bank's confirmation, for the provider and the simulator alike. */
export interface CardEntry {
  /** Sends the card to the provider or simulator. @throws PaymentProviderUnreachable if it doesn't respond. */
  submit(): Promise<CardResult>;
  /**
   * Opens the customer's bank's dialog to confirm the payment. `answered`: get the result from the API, also after a lost
   * connection. `abandoned`: the customer closed the dialog. @throws PaymentProviderUnreachable if the fields haven't loaded.
   */
  confirmWithBank(clientSecret: string): Promise<"answered" | "abandoned">;
}

/** Error thrown if the payment provider doesn't respond. Nothing was charged. */
export class PaymentProviderUnreachable extends Error {
  override readonly name = "PaymentProviderUnreachable";

  constructor(
    message = "We cannot reach the payment provider at the moment. You have not been charged. Please try again.",
  ) {
    super(message);
  }
}

/** Narrows a form's control to its card fields. */
export function toCardControl<TValues extends CardFieldStates>(control: Control<TValues>): Control<CardFieldStates> {
  return control as unknown as Control<CardFieldStates>;
}

export interface CardFieldsProps {
  source: CardSource;
  control: Control<CardFieldStates>;
  ref: Ref<CardEntry>;
  onEdit?: () => void;
}
