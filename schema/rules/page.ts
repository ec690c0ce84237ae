import { number, object, string } from "yup";

/** Rules for the size and position of a page of a list (decision 0130). */
export const pageRules = object({
  first: number().integer().min(1, "Request at least 1 row.").max(100, "Request at most 100 rows.").default(20),
  offset: number().integer().min(0, "Must be 0 or more.").max(1_000_000, "Must be at most 1,000,000.").default(0),
  after: string().nullable().max(1_000, "Not a cursor of this list."),
});
