import { formatAud } from "#schema/money.ts";
import { formatSellerDate } from "#schema/dates.ts";

/** The next payment of a subscription. */
export interface NextPayment {
  /** Amount in cents, including GST; null if it is unknown. */
  readonly amountCents: number | null;
  readonly at: Date;
}

/** Describes the next payment in a sentence, as every email about a subscription does. */
export function describeNextPayment({ amountCents, at }: NextPayment): string {
  const amount = amountCents === null ? "" : ` of ${formatAud(amountCents)}`;
  return `Your next payment${amount} is due on ${formatSellerDate(at)}.`;
}
