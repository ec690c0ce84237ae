import { type InferType, object } from "yup";
import { optionalEnd, optionalMoment } from "#schema/moment.ts";
import { line } from "#schema/text.ts";

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
