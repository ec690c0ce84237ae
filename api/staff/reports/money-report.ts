import { addDays } from "#schema/days.ts";
import { findLabel } from "#schema/closed-list.ts";
import { type MoneyFigureName, moneyFigureList } from "#schema/money-report.ts";
import { entryKinds } from "#schema/tax.ts";
import { moneyFigures } from "#api/billing/revenue/money-figures.ts";
import { listMonths, type MoneyPeriod, selectMonths, withoutForecast } from "#api/billing/revenue/read-money.ts";
import type { Context } from "#api/platform/context.ts";
import { searchedEntryText } from "#api/billing/tax/tax-entries.ts";
import { toSearchPattern } from "#api/platform/database/database.ts";
import {
  createDateColumn,
  createLabelColumn,
  createMoneyColumn as money,
  createTextColumn as text,
  type Report,
  toSqlLiteral,
} from "./report.ts";

const toDates = (days: readonly string[]) => `array[${days.map(toSqlLiteral).join(", ")}]::date[]`;

/** Builds the file of the revenue report by month, or of the rows that add up to one figure (docs/domain.md#revenue). */
export function buildMoneyReport(
  context: Pick<Context, "clock">,
  request: MoneyPeriod & { figure?: MoneyFigureName | undefined; search?: string | null | undefined },
): Report {
  const { startDate, endDate, figure, search } = request.figure ? withoutForecast(request, context) : request;
  const days = `${startDate}-to-${endDate}`;
  if (figure === undefined) {
    const months = listMonths(request, context);
    const forecast = months.find(({ isForecast }) => isForecast)?.startDate ?? "9999-12-31";
    const first = toDates(months.map((month) => month.startDate));
    const next = toDates(months.map((month) => addDays(month.endDate, 1)));
    return {
      fileName: `Revenue-${days}`,
      sheetName: "Revenue",
      columns: [
        { ...text("First day", "to_char(r.first, 'YYYY-MM-DD')", 12), isTrusted: true },
        { ...text("Last day", "to_char(r.next - 1, 'YYYY-MM-DD')", 12), isTrusted: true },
        {
          ...text("Kind", `case when r.first < ${toSqlLiteral(forecast)} then 'Actual' else 'Forecast' end`, 12),
          isTrusted: true,
        },
        ...moneyFigureList.map(({ label, value }) => money(`${label} (AUD)`, `r.${value}::bigint`)),
      ],
      from: `from (${selectMonths(first, next)}) r order by r.first`,
    };
  }
  const words = toSearchPattern(search);
  const rows = moneyFigures[figure](`date ${toSqlLiteral(startDate)}`, `date ${toSqlLiteral(addDays(endDate, 1))}`);
  return {
    fileName: `Revenue-${figure}-${days}`,
    sheetName: "Revenue Rows",
    columns: [
      createDateColumn("Date", "e.at"),
      { ...text("Number", "e.number", 12), isTrusted: true },
      createLabelColumn("Document", entryKinds, "e.kind"),
      text("Customer", "e.customer", 28),
      text("Description", "e.description", 36),
      money("Total (AUD)", "e.total_cents"),
      money("GST (AUD)", "e.gst_cents"),
      money(`${findLabel(moneyFigureList, figure)} (AUD)`, "e.amount_cents"),
    ],
    from: `from (${rows}) e where ${words === null ? "true" : `${searchedEntryText} ~* ${toSqlLiteral(words)}`}
      order by e.at desc, e.number desc, e.id desc`,
  };
}
