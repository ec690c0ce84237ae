import { object } from "yup";
import { customerStaff } from "#schema/staff-roles.ts";
import { line } from "#schema/text.ts";
import { downloadQuote } from "#api/billing/quotes/quote-file.ts";
import { customerStatementRules, statementRules } from "#schema/money-report.ts";
import { downloadMyStatement, downloadStatementAsStaff } from "#api/billing/statements/statement-file.ts";
import { csvExamples } from "./file-examples.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute, FileResponse } from "./define-route.ts";

const tag = "Tax invoices";
const fileTypes = ["application/pdf", "text/csv; charset=utf-8"];
const example = { startDate: "2025-07-01", endDate: "2025-09-30", format: "pdf" };
const contents =
  "with the opening balance, all invoices, payments and refunds from `startDate` to `endDate`, and the closing balance. `format` is pdf (default) or csv";

export const statementRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/quote/download",
    allow: { audience: "everyone", scope: "session" },
    tag,
    summary: "Download the quote of an emailed link as a PDF. `token` is the value of `t` in the link",
    body: object({ token: line(200).required("Token is required.") }),
    bodyExample: { token: "kR8v…" },
    errors: ["NOT_FOUND"],
    fileTypes: ["application/pdf"],
    handler: async ({ context, body }) => new FileResponse(await downloadQuote(context, body.token)),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/core/accounts/statement/download",
    allow: { audience: "customer", scope: "billing:read" },
    tag,
    summary: `Download your statement ${contents}`,
    body: statementRules,
    bodyExample: example,
    fileTypes,
    fileExample: csvExamples.statement,
    handler: async ({ context, body }) => new FileResponse(await downloadMyStatement(context, body)),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/admin/statement/download",
    allow: { audience: "admin", roles: customerStaff, scope: "billing:read", harm: "none" },
    tag,
    summary: `Download a customer's statement ${contents}`,
    body: customerStatementRules,
    bodyExample: { userId: exampleIds.other, ...example },
    errors: ["NOT_FOUND"],
    fileTypes,
    fileExample: csvExamples.statement,
    handler: async ({ context, body }) => new FileResponse(await downloadStatementAsStaff(context, body)),
  }),
];
