import type { Ref } from "react";
import type { Control } from "react-hook-form";

/** The fields of a card, by their names in a form. */
export type CardFieldName = "cardNumber" | "expiryDate" | "cvc";

/**
 * What a form knows of a card: how far each field is (`""`, `incomplete`, `wrong`, `past`, `complete`, or a sentence of
 * the provider's), never what was typed.
 */
export type CardFieldStates = Record<CardFieldName, string>;

/** A card before anything was typed. */
export const blankCard: CardFieldStates = { cardNumber: "", expiryDate: "", cvc: "" };

/** Who takes the card: the provider's own fields in its frames, or ours, which talk to the payment simulator. */
export interface CardSource {
  readonly kind: "PROVIDER" | "SIMULATOR";
  readonly publishableKey: string;
}

/** What became of a card: a name for it that is safe to hand on, or why it is refused. */
export type TakenCard =
  | { readonly kind: "taken"; readonly paymentMethodId: string }
  | { readonly kind: "refused"; readonly field: CardFieldName; readonly message: string };

/** The one way a form gets a card and asks a bank, whoever takes the card. */
export interface CardEntry {
  /** Hands the card to who takes it. @throws CardsAway when they don't answer. */
  take(): Promise<TakenCard>;
  /**
   * Has the customer's bank ask for its confirmation. `answered`: ask the api what became of it; `abandoned`: the
   * customer closed the question. @throws CardsAway when the bank can't be asked.
   */
  askBank(clientSecret: string): Promise<"answered" | "abandoned">;
}

/** Who takes cards did not answer; nothing was charged. */
export class CardsAway extends Error {
  override readonly name = "CardsAway";

  constructor(message = "We cannot reach the payment provider at the moment. Nothing was charged; please try again.") {
    super(message);
  }
}

/** The part of a form that is about its card. */
export function cardPartOf<TValues extends CardFieldStates>(control: Control<TValues>): Control<CardFieldStates> {
  return control as unknown as Control<CardFieldStates>;
}

export interface CardFieldsProps {
  source: CardSource;
  control: Control<CardFieldStates>;
  ref: Ref<CardEntry>;
  /** Something of the card was changed. */
  onEdit?: () => void;
}
