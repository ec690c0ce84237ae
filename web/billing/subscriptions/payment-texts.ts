import type { MantineColor } from "@mantine/core";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import type { PaymentStatus } from "#web/generated/graphql.ts";
import { formatCardBrand } from "./current-card.tsx";

/** Formats the time of the next automatic attempt to pay, such as "Next retry 26 Nov 2026". */
export function formatNextRetry(nextRetryAt: string | null | undefined): string {
  return nextRetryAt ? `Next retry ${formatDate(nextRetryAt, brand.timeZone)}` : "No retry is planned";
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
