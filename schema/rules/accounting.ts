import { object, string } from "yup";
import { type AccountingFile, accountingFiles } from "#schema/accounting.ts";
import { moneyReportRules } from "./money-report.ts";

/** Body of `POST /v1/reports/download-accounting`. */
export const accountingFileRules = moneyReportRules.concat(
  object({
    file: string<AccountingFile>()
      .oneOf(Object.keys(accountingFiles) as AccountingFile[], "This file doesn't exist.")
      .required("File is required."),
  }),
);
