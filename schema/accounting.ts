import { object, string } from "yup";
import { defineList, listValues, type ValueOf } from "./closed-list.ts";
import { moneyReportRules } from "./money-report.ts";

/** Files for accounting programs. */
export const accountingFiles = defineList("AccountingFile", "A file for an accounting program.", [
  { code: "JOURNAL", value: "journal", label: "Journal (CSV)", description: "All entries of the journal." },
  {
    code: "RECEIVABLES",
    value: "receivables",
    label: "Aged receivables, as of today",
    description: "Unpaid invoices by age.",
  },
  {
    code: "XERO_INVOICES",
    value: "xero-invoices",
    label: "Invoices and credit notes for Xero",
    description: "Tax invoices and adjustment notes for Xero.",
  },
  {
    code: "XERO_PAYMENTS",
    value: "xero-payments",
    label: "Payments and refunds for Xero",
    description: "Payments and refunds for Xero.",
  },
  {
    code: "MYOB_INVOICES",
    value: "myob-invoices",
    label: "Invoices and credit notes for MYOB",
    description: "Tax invoices and adjustment notes for MYOB.",
  },
  {
    code: "MYOB_PAYMENTS",
    value: "myob-payments",
    label: "Payments and refunds for MYOB",
    description: "Payments and refunds for MYOB.",
  },
  {
    code: "CHANGES",
    value: "changes",
    label: "Changes since the last export",
    description: "The entries that changed since each of the other files was last downloaded.",
  },
] as const);
export type AccountingFile = ValueOf<typeof accountingFiles>;

/** Accounts of the journal. */
export const journalAccounts = defineList("JournalAccount", "An account of the journal.", [
  {
    code: "RECEIVABLE",
    value: "receivable",
    label: "Accounts receivable",
    description: "What customers still have to pay.",
  },
  { code: "CARD", value: "card", label: "Card clearing", description: "Card payments, until the provider pays out." },
  { code: "BANK", value: "bank", label: "Bank", description: "Payments by bank transfer or in another way." },
  { code: "CREDIT", value: "credit", label: "Customer credit", description: "Credit that customers paid." },
  { code: "DEFERRED", value: "deferred", label: "Deferred revenue", description: "Invoiced, and not yet earned." },
  { code: "REVENUE", value: "revenue", label: "Revenue", description: "Earned, without GST." },
  { code: "GST", value: "gst", label: "GST collected", description: "GST on sales less adjustments." },
  { code: "GOODWILL", value: "goodwill", label: "Goodwill", description: "Credit that our staff gave." },
] as const);
export type JournalAccount = ValueOf<typeof journalAccounts>;

/** Account codes in the files: the standard sales account of each program. */
export const salesAccounts = { xero: "200", myob: "4-1000" } as const;

/** Body of `POST /v1/reports/download-accounting`. */
export const accountingFileRules = moneyReportRules.concat(
  object({
    file: string().oneOf(listValues(accountingFiles), "This file doesn't exist.").required("File is required."),
  }),
);
