import type { InferType } from "yup";
import { accountingFileRules } from "./accounting.ts";
import { invoiceReportRules } from "./manual-invoice.ts";
import { customerStatementRules, moneyFileRules, statementRules } from "./money-report.ts";
import { licenceCodeReportRules, reportRules } from "./report.ts";
import { reportFileRules } from "./saved-report.ts";
import { securityEventReportRules } from "./security-event.ts";
import { subscriptionReportRules } from "./staff-money.ts";
import { taxReportRules } from "./tax.ts";
import { userExportRules } from "./user-list.ts";

/** Rules of the bodies of the downloads that pages offer, by path. All are sent with POST. */
export const downloadRules = {
  "/v1/admin/statement/download": customerStatementRules,
  "/v1/core/accounts/statement/download": statementRules,
  "/v1/reports/download-accounting": accountingFileRules,
  "/v1/reports/download-file": reportFileRules,
  "/v1/reports/download-invoices": invoiceReportRules,
  "/v1/reports/download-licence-code-report": licenceCodeReportRules,
  "/v1/reports/download-report": reportRules,
  "/v1/reports/download-revenue": moneyFileRules,
  "/v1/reports/download-security-events": securityEventReportRules,
  "/v1/reports/download-subscriptions": subscriptionReportRules,
  "/v1/reports/download-tax": taxReportRules,
  "/v1/users/export": userExportRules,
} as const;

export type DownloadPath = keyof typeof downloadRules;

/** A value as JSON sends it. */
type Sent<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : Value | (undefined extends Value ? null : never);

/** Names of the fields that a client may leave out, because they are optional or have a default. */
type OmittedNames<Values, Defaults> = {
  [Name in keyof Values]-?: undefined extends Values[Name]
    ? Name
    : Name extends keyof Defaults
      ? Defaults[Name] extends Values[Name]
        ? Name
        : never
      : never;
}[keyof Values];

type SentBody<Values, Omitted> = { [Name in Exclude<keyof Values, Omitted>]: Sent<Values[Name]> } & {
  [Name in keyof Values as Name extends Omitted ? Name : never]?: Sent<Values[Name] | undefined>;
};

/** The body of a download, from the rules of its call. */
export type DownloadBody<Path extends DownloadPath> = SentBody<
  InferType<(typeof downloadRules)[Path]>,
  OmittedNames<InferType<(typeof downloadRules)[Path]>, (typeof downloadRules)[Path]["__default"]>
>;

/** A body without any field that the rules don't have. Spread fields count too. */
export type ExactBody<Path extends DownloadPath, Given> = Given &
  Record<Exclude<keyof Given, keyof DownloadBody<Path>>, never>;
