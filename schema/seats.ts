import { type InferType, object } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { getCalendarDay, toDayNumber } from "./days.ts";
import { invoiceCents, requestKey } from "./manual-invoice.ts";
import { formatNumber } from "./numbers.ts";
import { productLevels, seatLevels } from "./product-level.ts";
import { line, numberOfList, numeric, wholeNumber } from "./text.ts";

/** Terms for which a seat has a price, in years. */
export const seatTerms = defineList("SeatTerm", "The term for which a seat of a corporate licence has a price.", {
  ONE_YEAR: [1, "1 year", "One year."],
  TWO_YEARS: [2, "2 years", "Two years."],
  THREE_YEARS: [3, "3 years", "Three years."],
});
export type SeatTerm = ValueOf<typeof seatTerms>;

/** The days that are left of a licence, in the vendor's time zone. */
export interface SeatDays {
  readonly firstDay: string;
  readonly lastDay: string;
  /** Number of days from the first to the last, both included. */
  readonly days: number;
  /** Number of days of the whole term that ends on the last day. */
  readonly termDays: number;
}

/** Counts the days from today to the end of a licence. Null if it has ended. */
export function countSeatDays(expiresAt: Date, term: SeatTerm, now: Date): SeatDays | null {
  const firstDay = getCalendarDay(now);
  // The end of a licence is the end of a day in UTC.
  const lastDay = getCalendarDay(expiresAt, "UTC");
  if (expiresAt <= now || lastDay < firstDay) return null;
  const termBefore = `${Number(lastDay.slice(0, 4)) - term}${lastDay.slice(4).replace("-02-29", "-02-28")}`;
  return {
    firstDay,
    lastDay,
    days: toDayNumber(lastDay) - toDayNumber(firstDay) + 1,
    termDays: toDayNumber(lastDay) - toDayNumber(termBefore),
  };
}

/** Calculates the price of a seat for the days that are left, rounded half up to a cent. */
export function calculateSeatCents(termCents: number, { days, termDays }: SeatDays): number {
  return Math.round((termCents * days) / termDays);
}

/** Formats a change of seats: `5 → 10 seats`. */
export function formatSeatChange(from: number, to: number): string {
  return `${formatNumber(from)} → ${formatNumber(to)} seats`;
}

const term = numberOfList(seatTerms, "Please choose one of the list.").required("Term is required.");

/** Rules for the seats that are added to a licence. Without a price, the one of the price list applies. */
export const seatsRules = object({
  licenceId: line(36).required("Choose a licence."),
  seats: wholeNumber(1, 999).required("Number of seats is required."),
  term,
  termCents: invoiceCents("Price is required.").optional(),
});
export type SeatsValues = InferType<typeof seatsRules>;

/** Rules for adding the seats that a preview showed. */
export const addSeatsRules = seatsRules.shape({
  // Goodwill credit can reduce the total to nothing.
  expectedTotalCents: invoiceCents("Total is required.").min(0, "Must not be negative."),
  expectedSeats: wholeNumber(1, 1_000).optional(),
  purchaseOrder: line(100),
  key: requestKey(),
});
export type AddSeatsValues = InferType<typeof addSeatsRules>;

/** Rules for a price of the list of seats. */
export const seatPriceRules = object({
  productLevel: numeric()
    .typeError("Please choose one of the list.")
    .oneOf([...seatLevels], "Only corporate levels have seats.")
    .meta({ list: () => productLevels })
    .required("Level is required."),
  term,
  audCents: invoiceCents("Price is required."),
});
export type SeatPriceValues = InferType<typeof seatPriceRules>;
