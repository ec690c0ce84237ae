import { type AccountingFile, journalAccounts, salesAccounts } from "#schema/accounting.ts";
import { getCalendarDay } from "#schema/days.ts";
import type { Context } from "#api/platform/context.ts";
import { balanceSql } from "#api/billing/invoices/invoice-status.ts";
import { isCashSql, selectJournal } from "#api/billing/journal/journal-sql.ts";
import { toDay } from "#api/billing/revenue/money-figures.ts";
import { listMonths, type MoneyPeriod, withoutForecast } from "#api/billing/revenue/read-money.ts";
import {
  createMoneyColumn as money,
  createTextColumn as text,
  type Report,
  type ReportColumn,
  toListLabelSql,
  toSqlLiteral,
} from "./report.ts";
import { selectChanges } from "#api/billing/journal/export-changes.ts";
import { userEmailSql } from "./shared-columns.ts";

const trusted = (title: string, sql: string): ReportColumn => ({ ...text(title, sql), isTrusted: true });
const empty = (...titles: string[]) => titles.map((title) => trusted(title, "''"));
/** Returns a column with a date as Australian accounting programs read it, days first. */
const date = (title: string, sql: string) => trusted(title, `to_char(${sql}, 'DD/MM/YYYY')`);

/** SQL: the lines of documents. `cents` include the line's share of the discount and the GST, so that they add up to the total. */
const lines = `(select i.*, l.line->>'description' as line_description, coalesce(
      round(i.total_cents::numeric * l.upto / nullif(i.amount_cents, 0)) - round(i.total_cents::numeric * (l.upto - l.cents) / nullif(i.amount_cents, 0)),
      l.cents)::int as cents, ${toDay("i.issued_at")} as day, ${toDay("coalesce(i.due_at, i.issued_at)")} as due_day, l.place
    from tax_invoices i cross join lateral (
      select e.line, e.place, (e.line->>'amountCents')::int as cents, sum((e.line->>'amountCents')::int) over (order by e.place) as upto
        from jsonb_array_elements(i.lines) with ordinality e(line, place)) l)`;

const buyer = "d.buyer->>'name'";
const addressLine = (place: number) => `coalesce(d.buyer->'address'->>${place}, '')`;
const email = `(select ${userEmailSql} from users u where u.id = d.user_id)`;

/** Returns a column with the balance of invoices that are overdue by a number of days; not overdue for 0. */
const overdue = (title: string, from: number, to: number | null) =>
  money(
    title,
    `case when d.overdue >= ${from} ${to === null ? "" : `and d.overdue <= ${to}`} then d.balance else 0 end`,
  );

/** Columns of the open invoices, by days after the due date. */
const receivables: ReportColumn[] = [
  text("Customer", buyer),
  trusted("Number", "d.number"),
  date("Issued", toDay("d.issued_at")),
  date("Due", toDay("d.due_at")),
  text("PO number", "coalesce(d.purchase_order, '')"),
  money("Balance (AUD)", "d.balance"),
  overdue("Not due (AUD)", -100_000, 0),
  overdue("1 to 30 days (AUD)", 1, 30),
  overdue("31 to 60 days (AUD)", 31, 60),
  overdue("61 to 90 days (AUD)", 61, 90),
  overdue("Over 90 days (AUD)", 91, null),
];

function buildReceivables({ clock }: Pick<Context, "clock">): Report {
  const today = getCalendarDay(clock.now());
  return {
    fileName: `receivables-${today}`,
    sheetName: "Receivables",
    columns: receivables,
    from: `from (select i.*, ${balanceSql} as balance,
        date ${toSqlLiteral(today)} - ${toDay("i.due_at")} as overdue
        from manual_invoices m join tax_invoices i on i.id = m.tax_invoice_id where m.status = 'open') d
      order by d.overdue desc, d.number`,
  };
}

type Build = Readonly<
  Record<Exclude<AccountingFile, "receivables" | "changes">, { columns: ReportColumn[]; isOfDocuments: boolean }>
>;

/** Columns of each file. The files for Xero and MYOB have the columns of their import templates. */
const files: Build = {
  journal: {
    isOfDocuments: false,
    columns: [
      date("Date", "j.day"),
      trusted("Event", "j.event"),
      trusted("Number", "j.number"),
      text("Customer", "j.customer"),
      text("Description", "j.description"),
      trusted("Account", toListLabelSql(journalAccounts, "j.account")),
      money("Debit (AUD)", "greatest(j.cents, 0)"),
      money("Credit (AUD)", "greatest(-j.cents, 0)"),
    ],
  },
  "xero-invoices": {
    isOfDocuments: true,
    columns: [
      text("*ContactName", buyer),
      text("EmailAddress", email),
      text("POAddressLine1", addressLine(0)),
      text("POAddressLine2", addressLine(1)),
      ...empty("POAddressLine3", "POAddressLine4", "POCity", "PORegion", "POPostalCode"),
      text("POCountry", "coalesce(d.buyer->'address'->>-1, '')"),
      trusted("*InvoiceNumber", "d.number"),
      text(
        "Reference",
        "coalesce(d.purchase_order, (select a.number from tax_invoices a where a.id = d.adjusts_id), '')",
      ),
      date("*InvoiceDate", "d.day"),
      date("*DueDate", "d.due_day"),
      ...empty("InventoryItemCode"),
      text("*Description", "d.line_description"),
      { title: "*Quantity", kind: "number", sql: "1" },
      money("*UnitAmount", "d.cents"),
      ...empty("Discount"),
      trusted("*AccountCode", toSqlLiteral(salesAccounts.xero)),
      trusted("*TaxType", "case when d.gst_basis_points > 0 then 'GST on Income' else 'GST Free Income' end"),
      ...empty("TrackingName1", "TrackingOption1", "TrackingName2", "TrackingOption2"),
      trusted("Currency", "d.currency"),
      ...empty("BrandingTheme"),
    ],
  },
  "xero-payments": {
    isOfDocuments: false,
    columns: [
      date("*Date", "j.day"),
      money("*Amount", "j.cents"),
      text("Payee", "j.customer"),
      text("Description", "j.event || ': ' || j.description"),
      trusted("Reference", "j.number"),
      ...empty("Check Number"),
    ],
  },
  "myob-invoices": {
    isOfDocuments: true,
    columns: [
      text("Co./Last Name", buyer),
      ...empty("First Name"),
      text("Addr 1 - Line 1", addressLine(0)),
      text("- Line 2", addressLine(1)),
      text("- Line 3", addressLine(2)),
      trusted("Inclusive", "'X'"),
      trusted("Invoice No.", "d.number"),
      date("Date", "d.day"),
      text("Customer PO", "coalesce(d.purchase_order, '')"),
      text("Description", "d.line_description"),
      trusted("Account No.", toSqlLiteral(salesAccounts.myob)),
      money("Inc-Tax Amount", "d.cents"),
      text("Journal Memo", "d.description"),
      trusted("Tax Code", "case when d.gst_basis_points > 0 then 'GST' else 'FRE' end"),
    ],
  },
  "myob-payments": {
    isOfDocuments: false,
    columns: [
      text("Co./Last Name", "j.customer"),
      ...empty("First Name"),
      date("Receipt Date", "j.day"),
      trusted("Invoice No.", "j.number"),
      money("Amount Applied", "j.cents"),
      text("Memo", "j.event || ': ' || j.description"),
    ],
  },
};

/** Builds a file for an accountant (docs/domain.md#journal). Days after today are left out. */
export function buildAccountingReport(
  context: Pick<Context, "clock">,
  { file, ...request }: MoneyPeriod & { file: AccountingFile },
): Report {
  if (file === "receivables") return buildReceivables(context);
  if (file === "changes") return buildAccountingChangesReport(context, request);
  const { columns, isOfDocuments } = files[file];
  const period = withoutForecast(request, context);
  const toDate = (day: string) => `date ${toSqlLiteral(day)}`;
  const months = listMonths(period, context).filter(({ isForecast }) => !isForecast);
  return {
    fileName: `${file}-${period.startDate}-to-${period.endDate}`,
    sheetName: "Accounting",
    columns,
    from: isOfDocuments
      ? `from ${lines} d where d.day >= ${toDate(period.startDate)} and d.day <= ${toDate(period.endDate)} and d.cents <> 0 order by d.day, d.number, d.place`
      : `from (${selectJournal(months)}) j ${file === "journal" ? "" : `where ${isCashSql}`}
         order by j.day, j.number, j.event, j.cents desc, j.account`,
  };
}

/** Builds the list of what changed since the last export of each file (docs/domain.md#accounting-changes). */
function buildAccountingChangesReport(context: Pick<Context, "clock">, period: MoneyPeriod): Report {
  return {
    fileName: `changes-${period.startDate}-to-${period.endDate}`,
    sheetName: "Changes",
    columns: [
      trusted("File", "d.file"),
      { title: "Exported", kind: "date", sql: "d.at" },
      trusted("Change", "d.change"),
      date("Date", "d.day"),
      trusted("Event", "d.event"),
      trusted("Number", "d.number"),
      text("Customer", "coalesce(i.buyer->>'name', '')"),
      trusted("Account", toListLabelSql(journalAccounts, "d.account")),
      money("Debit (AUD)", "greatest(d.cents, 0)"),
      money("Credit (AUD)", "greatest(-d.cents, 0)"),
    ],
    from: `from (${selectChanges(period, context)}) d left join tax_invoices i on i.number = d.number
      order by d.file, d.day, d.number, d.event, d.change desc, d.account, d.cents`,
  };
}
