import fc from "fast-check";
import { expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { addDays, getCalendarDay, getEndOfDay, getStartOfDay } from "#schema/days.ts";
import { moneyFigureNames } from "#schema/money-report.ts";
import { listValues } from "#schema/closed-list.ts";
import { taxBases, taxFigureNames } from "#schema/tax.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { postingsSql } from "#api/billing/journal/journal-sql.ts";
import { earnedBeforeSql } from "#api/billing/revenue/money-figures.ts";
import { listMoneyEntries, listMonths, readMoneyMonths } from "#api/billing/revenue/read-money.ts";
import { listTaxEntries, readTaxSummary } from "#api/billing/tax/read-tax.ts";
import { existingEntriesSql } from "#api/migrations/from-0155.ts";
import { DAY } from "#api/platform/clock.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";
import { businessStep, readLockedFigures, startBusiness } from "./random-business.ts";

const app = await startTestApp();
let firstDay = getCalendarDay(app.clock.now());

const sum = <One>(list: readonly One[], get: (one: One) => number) => list.reduce((all, one) => all + get(one), 0);

/** Returns what the payment provider received and kept, in cents. */
async function readProviderBalance(): Promise<number> {
  const sql = "select provider_customer_id as id from payment_customers";
  const { rows } = await app.services.pool.query<{ id: string }>(sql);
  let balance = 0;
  for (const { id } of rows)
    for (const { invoices } of await app.services.payments.listSubscriptions(id))
      for (const invoice of invoices)
        if (invoice.status === "paid") balance += invoice.totalCents - sum(invoice.refunds, (one) => one.amountCents);
  return balance;
}

const findBookDifferences = async () => (await app.services.pool.query(findBookDifferencesSql)).rows;

/** Compares the provider, the documents, the GST summary, the revenue report and the licences with each other. */
async function reconcile(): Promise<void> {
  const context = app.context();
  const lastDay = getCalendarDay(app.clock.now());
  const documents = await context.em.find(TaxInvoice, {}, { populate: ["adjusts", "replaces"] });
  const isByProvider = (one: TaxInvoice | null): boolean =>
    one !== null && (one.providerInvoiceId !== null || isByProvider(one.adjusts ?? one.replaces));
  const byProvider = documents.filter(isByProvider);
  expect(sum(byProvider, (one) => one.totalCents)).toBe(await readProviderBalance());

  const period = { startDate: firstDay, endDate: lastDay };
  const months = await readMoneyMonths(context, period);
  let deferred = 0;
  for (const month of listMonths(period, context)) {
    const days = { startDate: getStartOfDay(month.startDate), endDate: getEndOfDay(month.endDate) };
    const issued = documents.filter(({ issuedAt }) => {
      const day = getCalendarDay(issuedAt);
      return day >= month.startDate && day <= month.endDate;
    });
    const figures = new Map(
      (await readTaxSummary(context, { basis: "accrual", ...days })).map(({ name, cents }) => [name, cents]),
    );
    const total = (figures.get("total-sales") ?? 0) + (figures.get("adjustments") ?? 0);
    const gst = figures.get("net-gst") ?? 0;
    expect([month.startDate, total]).toEqual([month.startDate, sum(issued, (one) => one.totalCents)]);
    expect([month.startDate, gst]).toEqual([month.startDate, sum(issued, (one) => one.gstCents)]);
    expect(gst).toBe((figures.get("gst-on-sales") ?? 0) - (figures.get("gst-on-adjustments") ?? 0));

    const money = months.find(({ startDate }) => startDate === month.startDate);
    expect([month.startDate, money?.invoiced]).toEqual([month.startDate, total - gst]);
    deferred += (money?.invoiced ?? 0) - (money?.revenue ?? 0);
    expect([month.startDate, money?.deferred]).toEqual([month.startDate, deferred]);
  }
  await expectCash(period, byProvider);
  await expectRows(period);
  await expectEarnedInPeriods();
  await expectLicences();
  expect(await findBookDifferences()).toEqual([]);
}

async function expectCash(period: { startDate: string; endDate: string }, byProvider: TaxInvoice[]): Promise<void> {
  const context = app.context();
  const sql = `select (select coalesce(sum(amount_cents), 0)::int from received_payments) as received,
            (select coalesce(sum(amount_cents - goodwill_cents), 0)::int from credit_entries where kind = 'added') as ahead,
            coalesce(sum(m.paid_cents + m.credit_cents) filter (where m.status <> 'void'), 0)::int as kept from manual_invoices m`;
  const { rows } = await app.services.pool.query<{ received: number; ahead: number; kept: number }>(sql);
  const byHand = rows[0] ?? { received: 0, ahead: 0, kept: 0 };
  // A payment may be recorded for an earlier day.
  const days = { startDate: getStartOfDay(addDays(period.startDate, -2)), endDate: getEndOfDay(period.endDate) };
  const figures = await readTaxSummary(context, { basis: "cash", ...days });
  const find = (wanted: string) => figures.find(({ name }) => name === wanted)?.cents ?? 0;
  const card = sum(byProvider, (one) => one.totalCents);
  expect(find("total-sales") + find("adjustments")).toBe(card + byHand.kept);
  const months = await readMoneyMonths(context, { ...period, startDate: addDays(period.startDate, -2) });
  expect(sum(months, ({ collected, refunded }) => collected + refunded)).toBe(card + byHand.received + byHand.ahead);
}

/** Checks that a service period earns nothing before its first day, after its last one and on paused ones, and all of it in between. */
async function expectEarnedInPeriods(): Promise<void> {
  const lastDay = "least(p.ended_on, p.last_day)";
  const start = "greatest(p.booked_on, p.first_day)";
  const paused = "(z.paused_at at time zone $1)::date + 1";
  const resumed = "(coalesce(z.ended_at, z.until) at time zone $1)::date";
  const { rows } = await app.services.pool.query(
    `select p.*, 'early or late' as fault from service_periods p where p.days > 0 and (${earnedBeforeSql(start)} <> 0 and p.first_day > p.booked_on
        or ${earnedBeforeSql(`greatest(p.booked_on, ${lastDay}) + 1`)} <> p.to_cents - p.from_cents)
     union all
     select p.*, 'paused' from service_periods p join subscription_pauses z on z.subscription_id = p.subscription_id
      where p.ended_on is null and p.days > 0 and p.booked_on < ${paused} and ${resumed} > ${paused}
        and ${earnedBeforeSql(paused)} <> ${earnedBeforeSql(resumed)}`,
    [brand.timeZone],
  );
  expect(rows).toEqual([]);
}

/** Compares each figure with the sum of its rows. */
async function expectRows(period: { startDate: string; endDate: string }): Promise<void> {
  const context = app.context();
  const days = { startDate: getStartOfDay(period.startDate), endDate: getEndOfDay(period.endDate) };
  const readAll = async <Row>(
    read: (offset: number) => Promise<{ rows: readonly Row[]; total: number }>,
  ): Promise<Row[]> => {
    const rows: Row[] = [];
    for (;;) {
      const page = await read(rows.length);
      rows.push(...page.rows);
      if (rows.length >= page.total) return rows;
    }
  };
  for (const basis of listValues(taxBases))
    for (const { name, cents } of await readTaxSummary(context, { basis, ...days })) {
      const request = { basis, ...days, figure: name, limit: 100 };
      const rows = await readAll((offset) => listTaxEntries(context, { ...request, offset }));
      expect([basis, name, sum(rows, (row) => row.amountCents)]).toEqual([basis, name, cents]);
      expect(taxFigureNames).toContain(name);
    }
  const months = await readMoneyMonths(context, period);
  for (const figure of moneyFigureNames) {
    const request = { ...period, figure, limit: 100 };
    const rows = await readAll((offset) => listMoneyEntries(context, { ...request, offset }));
    const expected = figure === "deferred" ? (months.at(-1)?.deferred ?? 0) : sum(months, (month) => month[figure]);
    expect([figure, sum(rows, (row) => row.amountCents)]).toEqual([figure, expected]);
  }
}

/** Checks that a licence lasts as long as its subscription is paid, and 3 days more. */
async function expectLicences(): Promise<void> {
  const now = app.clock.now();
  const subscriptions = await app.context().em.find(Subscription, {}, { populate: ["licence"] });
  for (const { id, status, paidUntil, licence } of subscriptions) {
    if (status === "active") {
      const isEntitled = !licence.revokedAt && licence.expiresAt >= (paidUntil ?? now);
      expect([id, isEntitled]).toEqual([id, true]);
    } else {
      const hasEnded = licence.revokedAt !== null || licence.expiresAt.getTime() <= now.getTime() + 3 * DAY;
      expect([id, hasEnded || licence.expiresAt <= (paidUntil ?? now)]).toEqual([id, true]);
    }
  }
}

/** Days until the business starts, so that every fourth year has a 29 February. */
const years = fc.integer({ min: 1, max: 1_461 });

test("reconciles provider, documents, GST, revenue and licences after any year of business", async () => {
  const business = await startBusiness(app);
  await fc.assert(
    fc.asyncProperty(years, fc.array(businessStep, { minLength: 30, maxLength: 40 }), async (start, steps) => {
      await business.run({ kind: "wait", days: start });
      firstDay = getCalendarDay(app.clock.now());
      const yearLater = addDays(firstDay, 366);
      for (const step of steps) {
        await business.run(step);
        expect([step, await findBookDifferences()]).toEqual([step, []]);
      }
      while (getCalendarDay(app.clock.now()) < yearLater) await business.run({ kind: "wait", days: 30 });
      await reconcile();
      for (const { startDate, endDate, figures } of business.locked)
        expect([startDate, await readLockedFigures(app, { startDate, endDate })]).toEqual([startDate, figures]);
    }),
    // A smaller example would run on the same database.
    { numRuns: 1, endOnFailure: true },
  );
  // An upgrade writes the same entries from the records.
  const readPostings = async () =>
    (await app.services.pool.query(`select * from (${postingsSql}) p order by id, event, account`)).rows;
  const recorded = await readPostings();
  await openOwnerPool(app.database).query(`truncate journal_entries; ${existingEntriesSql}`);
  expect(await readPostings()).toEqual(recorded);
  await reconcile();
  expect(await app.context().em.count(TaxInvoice)).toBeGreaterThan(0);
}, 300_000);
