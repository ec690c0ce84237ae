import { type InferType, object, string } from "yup";
import { listValues, type ValueOf } from "#schema/closed-list.ts";
import { statementFormats } from "#schema/statements.ts";
import { moneyReportRules } from "./money-report.ts";
import { line } from "#schema/text.ts";

/** Body of a customer's own statement: a period and a format. */
export const statementRules = moneyReportRules.concat(
  object({
    format: string<ValueOf<typeof statementFormats>>()
      .oneOf(listValues(statementFormats), "Format must be pdf or csv.")
      .default("pdf"),
  }),
);
export type StatementValues = InferType<typeof statementRules>;

/** Body of a customer's statement for staff. */
export const customerStatementRules = statementRules.concat(
  object({ userId: line(36).required("Choose a customer.") }),
);
