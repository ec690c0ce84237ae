import { stringify } from "csv-stringify/sync";
import { formatTableDate } from "#schema/dates.ts";
import { type StatementValues, customerStatementRules, statementRules } from "#schema/money-report.ts";
import { toBuyer } from "#api/billing/invoices/parties.ts";
import type { AttachedFile } from "#api/messaging/emails/email.entity.ts";
import { getUser } from "#api/people/users/get-user.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { readStatement, type Statement } from "./read-statement.ts";
import { renderStatementPdf } from "./render-statement-pdf.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { csvExamples, exampleIds } from "#api/platform/http/route-examples.ts";
import { defineRoute, FileResponse } from "#api/platform/http/define-route.ts";

/**
 * Returns the caller's own statement as a PDF or CSV file.
 * @throws AppError UNAUTHENTICATED; RATE_LIMITED after 60 downloads of documents in 10 minutes.
 */
async function downloadMyStatement(context: Context, values: StatementValues): Promise<AttachedFile> {
  const { actor } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  return createFile(context, await getUser(context, actor.userId), values);
}

/**
 * Returns a customer's statement. The caller must check that the user is staff.
 * @throws AppError NOT_FOUND; RATE_LIMITED as {@link downloadMyStatement} does.
 */
async function downloadStatementAsStaff(
  context: Context,
  { userId, ...values }: StatementValues & { userId: string },
): Promise<AttachedFile> {
  return createFile(context, await getUser(context, userId), values);
}

async function createFile(context: Context, user: User, { format, ...period }: StatementValues): Promise<AttachedFile> {
  if (context.actor) await context.rateLimits.take("taxInvoiceDownload", context.actor.userId);
  const statement = await readStatement(context, user.id, period);
  const filename = `Statement-${period.startDate}-to-${period.endDate}.${format}`;
  return format === "csv"
    ? { filename, contentType: "text/csv; charset=utf-8", content: toCsv(statement) }
    : {
        filename,
        contentType: "application/pdf",
        content: await renderStatementPdf(statement, toBuyer(user), context.clock.now()),
      };
}

const toDay = (day: string) => formatTableDate(`${day}T00:00:00Z`, "UTC");

/** Spreadsheets need the byte order mark and CRLF, and texts that they would read as formulas are quoted. */
function toCsv({ startDate, endDate, openingCents, closingCents, rows }: Statement): Buffer {
  const titles = ["Date", "Entry", "Number", "Description", "Amount (AUD)", "Balance (AUD)"];
  const lines = rows.map(({ day, event, number, description, cents, balanceCents }) => [
    toDay(day),
    event,
    number,
    description,
    cents / 100,
    balanceCents / 100,
  ]);
  const table = [
    titles,
    [toDay(startDate), "Opening balance", "", "", "", openingCents / 100],
    ...lines,
    [toDay(endDate), "Closing balance", "", "", "", closingCents / 100],
  ];
  return Buffer.from(
    stringify(table, {
      bom: true,
      record_delimiter: "windows",
      escape_formulas: true,
      // A negative amount is no formula.
      cast: { number: (value) => ({ value: value.toFixed(2), escape_formulas: false }) },
    }),
  );
}

const tag = "Tax invoices";
const fileTypes = ["application/pdf", "text/csv; charset=utf-8"];
const example = { startDate: "2025-07-01", endDate: "2025-09-30", format: "pdf" };
const contents =
  "with the opening balance, all invoices, payments and refunds from `startDate` to `endDate`, and the closing balance. `format` is pdf (default) or csv";

export const statementRoutes = [
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
