import { boolean, type InferType, number, object } from "yup";
import { line } from "./text.ts";

/** Rules for the filter of the list of seats. */
export const seatUsageRules = object({
  search: line(200),
  onlyFull: boolean().strict().typeError("Must be true or false.").default(false),
  offset: number().integer().min(0).max(1_000_000).default(0),
  limit: number().integer().min(1).max(100).default(20),
});

export type SeatUsageValues = InferType<typeof seatUsageRules>;
