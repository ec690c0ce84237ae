import type { MantineColor } from "@mantine/core";
import { formatSellerDate } from "#schema/dates.ts";
import type { PaymentStatus } from "#web/generated/graphql.ts";
import { formatCardBrand } from "./current-card.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Shows the day of the next automatic attempt to pay, such as "Next retry 26 Nov 2026". */
export function NextRetry({ at }: { at: string | null | undefined }) {
  if (!at) return "No retry is planned";
  return (
    <>
      Next retry <Moment at={at} as={formatSellerDate} />
    </>
  );
}

const statusTexts: Readonly<Record<PaymentStatus, { label: string; color: MantineColor }>> = {
  PAID: { label: "Paid", color: "spruce" },
  FAILED: { label: "Failed", color: "red" },
  PARTLY_REFUNDED: { label: "Partly refunded", color: "gray" },
  REFUNDED: { label: "Refunded", color: "gray" },
};

/** Formats a card, such as "Visa ending 4242". */
export function formatCard(brandName: string | null | undefined, last4: string | null | undefined): string {
  return last4 ? `${formatCardBrand(brandName)} ending ${last4}` : "Card";
}

/** Returns the label and colour of a payment's status. */
export const getPaymentStatus = (status: PaymentStatus) => statusTexts[status];
