/** Files for accounting programs, with their labels. The names are used in the API. */
export const accountingFiles = {
  journal: "Journal (CSV)",
  receivables: "Aged receivables, as of today",
  "xero-invoices": "Invoices and credit notes for Xero",
  "xero-payments": "Payments and refunds for Xero",
  "myob-invoices": "Invoices and credit notes for MYOB",
  "myob-payments": "Payments and refunds for MYOB",
  changes: "Changes since the last export",
} as const;
export type AccountingFile = keyof typeof accountingFiles;

/** Accounts of the journal, with their labels. */
export const journalAccounts = {
  receivable: "Accounts receivable",
  card: "Card clearing",
  bank: "Bank",
  credit: "Customer credit",
  deferred: "Deferred revenue",
  revenue: "Revenue",
  gst: "GST collected",
  goodwill: "Goodwill",
} as const;
export type JournalAccount = keyof typeof journalAccounts;

/** Account codes in the files: the standard sales account of each program. */
export const salesAccounts = { xero: "200", myob: "4-1000" } as const;
