import { type AccountingFile, accountingFiles } from "#schema/accounting.ts";
import { findLabel } from "#schema/closed-list.ts";
import { addDays } from "#schema/days.ts";
import { listMonths, type MoneyPeriod, withoutForecast } from "#api/billing/revenue/read-money.ts";
import type { Context } from "#api/platform/context.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { isCashSql, selectJournal } from "./journal-sql.ts";

/** SQL condition of the entries `j` that a file contains. The other files aren't compared. */
const comparedFiles: Readonly<Partial<Record<AccountingFile, string>>> = {
  journal: "true",
  "xero-invoices": "j.event = 'Document' and j.account = 'receivable'",
  "xero-payments": isCashSql,
  "myob-invoices": "j.event = 'Document' and j.account = 'receivable'",
  "myob-payments": isCashSql,
};

const toDate = (day: string) => `date '${day}'`;

/**
 * Returns SQL for the journal of a period until today. Revenue is one entry a month, so a part of a month is left out: it
 * would differ from every other part.
 */
function selectComparedJournal(period: MoneyPeriod, context: Pick<Context, "clock">): string {
  const months = listMonths(period, context).filter(({ isForecast }) => !isForecast);
  const isWhole = ({ startDate, endDate }: MoneyPeriod) =>
    startDate.endsWith("-01") && addDays(endDate, 1).endsWith("-01");
  const ends = months.filter(isWhole).map(({ endDate }) => toDate(endDate));
  return `select * from (${selectJournal(months)}) j where j.event <> 'Revenue' or j.day = any(array[${ends.join(", ")}]::date[])`;
}

/**
 * Reads what a file for an accounting program contains. The returned function records it, so that {@link selectChanges} can
 * list what changes later; call it once the whole file was sent. A later export of the same days replaces an earlier one.
 */
export async function readExport(
  context: Context,
  { file, ...request }: MoneyPeriod & { file: AccountingFile },
): Promise<() => Promise<void>> {
  const condition = comparedFiles[file];
  const period = withoutForecast(request, context);
  if (!condition || listMonths(period, context).every(({ isForecast }) => isForecast)) return async () => {};
  const at = context.clock.now();
  // From the replica, if there is one, as the file: it must not contain an entry that the file lacks.
  const { rows } = await context.reads.query<{ entries: string }>(
    `select coalesce(jsonb_agg(jsonb_build_object(
              'day', j.day, 'event', j.event, 'number', j.number, 'account', j.account, 'cents', j.cents)), '[]')::text as entries
       from (${selectComparedJournal(period, context)}) j where ${condition}`,
  );
  return () =>
    inTransaction(context, async (em) => {
      const values = [file, period.startDate, period.endDate, at];
      await query(
        em,
        "delete from accounting_exports where file = $1 and start_date >= $2 and end_date <= $3 and at <= $4",
        values,
      );
      await query(
        em,
        `insert into accounting_exports (id, file, start_date, end_date, at, by_id, entries)
         values (gen_random_uuid(), $1, $2, $3, $4, $5, $6)`,
        [...values, context.actor?.userId ?? null, rows[0]?.entries],
      );
    });
}

/**
 * Returns the SQL condition that a period contains all days of the entry `c`. Revenue is one entry, on the last day of the month
 * that earned it.
 */
const containsEntry = (startDate: string, endDate: string) =>
  `case when c.event = 'Revenue' then date_trunc('month', c.day)::date else c.day end >= ${startDate} and c.day <= ${endDate}`;

/**
 * Returns SQL for what changed since the last export of each file and day (docs/domain.md#accounting-changes): rows with
 * `file`, `change`, `day`, `event`, `number`, `account`, `cents` and the time `at` of the export. Days that a file was never
 * exported for are left out.
 */
export function selectChanges(request: MoneyPeriod, context: Pick<Context, "clock">): string {
  const period = withoutForecast(request, context);
  const journal = selectComparedJournal(period, context);
  const columns = "day, event, number, account, cents";
  const files = Object.entries(comparedFiles).map(([file, condition]) => {
    const exports = `from accounting_exports x where x.file = '${file}' and ${containsEntry("x.start_date", "x.end_date")}`;
    const exported = `select c.day, c.event, c.number, c.account, c.cents from accounting_exports y
      cross join lateral jsonb_to_recordset(y.entries) c(day date, event text, number text, account text, cents int)
      where y.file = '${file}' and ${containsEntry(toDate(period.startDate), toDate(period.endDate))}
        and not exists (select ${exports} and x.at > y.at)`;
    const current = `select ${columns} from (select * from (${journal}) j where ${condition}) c where exists (select ${exports})`;
    const differ = (change: string, from: string, less: string) =>
      `select '${findLabel(accountingFiles, file)}' as file, '${change}' as change, ${columns}, (select max(x.at) ${exports}) as at
        from (${from} except all ${less}) c`;
    return `${differ("Added", current, exported)} union all ${differ("Removed", exported, current)}`;
  });
  return files.join(" union all ");
}
