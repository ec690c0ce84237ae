import { object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { moneyReportRules } from "./money-report.ts";

/** Files for accounting programs. */
export const accountingFiles = defineList("AccountingFile", "A file for an accounting program.", {
  JOURNAL: ["journal", "Journal (CSV)", "All entries of the journal."],
  RECEIVABLES: ["receivables", "Aged receivables, as of today", "Unpaid invoices by age."],
  XERO_INVOICES: ["xero-invoices", "Invoices and credit notes for Xero", "Tax invoices and adjustment notes for Xero."],
  XERO_PAYMENTS: ["xero-payments", "Payments and refunds for Xero", "Payments and refunds for Xero."],
  MYOB_INVOICES: ["myob-invoices", "Invoices and credit notes for MYOB", "Tax invoices and adjustment notes for MYOB."],
  MYOB_PAYMENTS: ["myob-payments", "Payments and refunds for MYOB", "Payments and refunds for MYOB."],
  CHANGES: [
    "changes",
    "Changes since the last export",
    "The entries that changed since each of the other files was last downloaded.",
  ],
});
export type AccountingFile = ValueOf<typeof accountingFiles>;

/** Accounts of the journal. */
export const journalAccounts = defineList("JournalAccount", "An account of the journal.", {
  RECEIVABLE: ["receivable", "Accounts receivable", "What customers still have to pay."],
  CARD: ["card", "Card clearing", "Card payments, until the provider pays out."],
  BANK: ["bank", "Bank", "Payments by bank transfer or in another way."],
  CREDIT: ["credit", "Customer credit", "Credit that customers paid."],
  DEFERRED: ["deferred", "Deferred revenue", "Invoiced, and not yet earned."],
  REVENUE: ["revenue", "Revenue", "Earned, without GST."],
  GST: ["gst", "GST collected", "GST on sales less adjustments."],
  GOODWILL: ["goodwill", "Goodwill", "Credit that our staff gave."],
});
export type JournalAccount = ValueOf<typeof journalAccounts>;

/** Account codes in the files: the standard sales account of each program. */
export const salesAccounts = { xero: "200", myob: "4-1000" } as const;

/** Body of `POST /v1/reports/download-accounting`. */
export const accountingFileRules = moneyReportRules.concat(
  object({
    file: string().oneOf(listValues(accountingFiles), "This file doesn't exist.").required("File is required."),
  }),
);
