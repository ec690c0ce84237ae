import { boolean, type InferType, object } from "yup";
import { line } from "#schema/text.ts";

/** Rules for the filter of the list of seats. */
export const seatUsageRules = object({
  search: line(200),
  onlyFull: boolean().strict().typeError("Must be true or false.").default(false),
});

export type SeatUsageValues = InferType<typeof seatUsageRules>;
