import { Text } from "@mantine/core";
import type { ActiveSubscription } from "./subscription-overview.tsx";

const brands: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  diners: "Diners Club",
  discover: "Discover",
  jcb: "JCB",
  unionpay: "UnionPay",
  eftpos_au: "eftpos",
};

/** Returns the name of a card's brand. */
export const formatCardBrand = (name: string | null | undefined) => brands[name ?? ""] ?? name ?? "Card";

type Card = Pick<ActiveSubscription, "cardBrand" | "cardLast4" | "cardExpires">;

/** Shows the brand, last four digits and expiry of the card on file. */
export function CurrentCard({ subscription }: { subscription: Card }) {
  const { cardBrand, cardLast4, cardExpires } = subscription;
  if (!cardLast4) return <span>No card on file</span>;
  return (
    <>
      <Text component="strong" inherit fw={600} style={{ whiteSpace: "nowrap" }}>
        {formatCardBrand(cardBrand)} ending in {cardLast4}
      </Text>
      {cardExpires && (
        <Text span size="sm" c="dimmed">
          expires {cardExpires}
        </Text>
      )}
    </>
  );
}
