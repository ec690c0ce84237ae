import { type MantineColor, Paper, Stack, Text, type TextProps } from "@mantine/core";
import { formatSellerDate } from "#schema/dates.ts";
import type { PaymentStatus } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";
import type { ActiveSubscription } from "./subscription-overview.tsx";
import type { ReactNode } from "react";
import { formatAud, MIN_CARD_CENTS } from "#schema/money.ts";
import { getExpiryState } from "#web/billing/card-fields/card-format.ts";

/** Shows the day of the next automatic attempt to pay, such as "Next retry 26 Nov 2026". */
export function NextRetry({ at }: { at: string | null | undefined }) {
  if (!at) return "No retry is planned";
  return (
    <>
      Next retry <Moment at={at} as={formatSellerDate} />
    </>
  );
}

export const paymentStatuses: Readonly<Record<PaymentStatus, { label: string; color: MantineColor }>> = {
  PAID: { label: "Paid", color: "spruce" },
  FAILED: { label: "Failed", color: "red" },
  PARTLY_REFUNDED: { label: "Partly refunded", color: "gray" },
  REFUNDED: { label: "Refunded", color: "gray" },
};

/** Formats a card, such as "Visa ending 4242". */
export function formatCard(brandName: string | null | undefined, last4: string | null | undefined): string {
  return last4 ? `${formatCardBrand(brandName)} ending ${last4}` : "Card";
}

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
const formatCardBrand = (name: string | null | undefined) => brands[name ?? ""] ?? name ?? "Card";

type Card = Pick<ActiveSubscription, "cardBrand" | "cardLast4" | "cardExpires">;

/** Shows the brand, last four digits and expiry of the card on file, by default in the size of its surroundings. */
export function CurrentCard({ subscription, ...text }: { subscription: Card } & Pick<TextProps, "fz" | "lh">) {
  const { cardBrand, cardLast4, cardExpires } = subscription;
  const hasExpired = getExpiryState(cardExpires ?? "") === "past";
  if (!cardLast4)
    return (
      <Text span inherit {...text}>
        No card on file
      </Text>
    );
  return (
    <>
      <Text component="strong" inherit fw={600} {...text}>
        {formatCardBrand(cardBrand)} ending in {cardLast4}
      </Text>
      {cardExpires && (
        <Text span size="sm" c={hasExpired ? "var(--xp-critical)" : "dimmed"}>
          {hasExpired ? "expired" : "expires"} {cardExpires}
        </Text>
      )}
    </>
  );
}

/** The card or plan that a form replaces. */
export function CurrentChoice({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Paper withBorder px="lg" py="md" bg="var(--xp-sunken)">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Stack gap={2}>{children}</Stack>
    </Paper>
  );
}

/** The amount that a confirmed payment will charge. A card can't pay less than its minimum, so nothing is charged now. */
export function ChargedAmount({ cents }: { cents: number }) {
  if (cents < MIN_CARD_CENTS) return null;
  return (
    <Text fz="1.75rem" fw={640} lh={1.3} c="var(--xp-ink)" mb="xs">
      {formatAud(cents)}
    </Text>
  );
}
