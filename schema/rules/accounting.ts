import { object, string } from "yup";
import { accountingFiles } from "#schema/accounting.ts";
import { listValues } from "#schema/closed-list.ts";
import { moneyReportRules } from "./money-report.ts";

/** Body of `POST /v1/reports/download-accounting`. */
export const accountingFileRules = moneyReportRules.concat(
  object({
    file: string().oneOf(listValues(accountingFiles), "This file doesn't exist.").required("File is required."),
  }),
);
