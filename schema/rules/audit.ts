import { type DateSchema, type InferType, object } from "yup";
import { moment } from "./moment.ts";
import { line } from "./text.ts";

const LAST_OF_DAY_MS = 24 * 60 * 60 * 1_000 - 1;

/** Creates a rule for an optional time. An empty form field counts as missing. */
const optionalMoment = () =>
  moment("Date is required.")
    .transform((value: unknown, original: unknown) => (original === "" ? undefined : value))
    .notRequired() as DateSchema<Date | null | undefined>;

/** Creates a rule for an optional end. A date without a time includes the whole day (docs/domain.md#dates-in). */
const optionalEnd = () =>
  optionalMoment().transform((value: unknown, original: unknown) =>
    value instanceof Date && typeof original === "string" && /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(original)
      ? new Date(value.getTime() + LAST_OF_DAY_MS)
      : value,
  );

/** Rules for the filter of the audit log. */
export const auditFilterRules = object({
  actorId: line(50),
  action: line(50),
  bulkRunId: line(50),
  from: optionalMoment(),
  to: optionalEnd(),
  search: line(200),
});
export type AuditFilterValues = InferType<typeof auditFilterRules>;
