import { defineList } from "./closed-list.ts";

/** Formats of a customer's statement. */
export const statementFormats = defineList("StatementFormat", "The format of a customer's statement.", [
  { code: "PDF", value: "pdf", label: "PDF", description: "A document to print or send." },
  { code: "CSV", value: "csv", label: "CSV", description: "A table for a spreadsheet." },
] as const);
