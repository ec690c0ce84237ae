import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, getCalendarDay, getStartOfDay } from "#schema/days.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { issueInvoice } from "#api/billing/invoices/issue-invoice.ts";
import type { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { calculateQuote } from "#api/billing/plans/price-quote.ts";
import { selectMonths } from "#api/billing/revenue/read-money.ts";
import { endServicePeriods, moveServicePeriods, toServiceDays } from "#api/billing/revenue/service-periods.ts";
import { SubscriptionPause } from "#api/billing/subscriptions/subscription-changes.entity.ts";
import { deactivateLicence } from "#api/licensing/licences/deactivate-licence.ts";
import { reinstateLicence } from "#api/licensing/licences/reinstate-licence.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { buildPayment, createDraftInvoice } from "#tests/factories/manual-invoice.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const { subscription } = await createSubscriber(app);
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const today = getCalendarDay(app.clock.now());

type Earned = { readonly revenue: number; readonly deferred: number };

/** Returns what is earned in each span of days and deferred at its end, of all documents. */
async function readSpans(spans: readonly (readonly [first: string, last: string])[]): Promise<Earned[]> {
  const { rows } = await app.services.pool.query<Earned>(selectMonths("$1::date[]", "$2::date[]"), [
    spans.map(([first]) => first),
    spans.map(([, last]) => addDays(last, 1)),
  ]);
  return rows.map(({ revenue, deferred }) => ({ revenue, deferred }));
}

const readDays = async (first: string, last: string) => (await readSpans([[first, last]]))[0];

const clear = () => app.services.pool.query("delete from service_periods");

test("never defers less than nothing, and earns nothing outside a service period", async () => {
  const at = (day: number) => getStartOfDay(addDays("2023-06-25", day));
  const cases = fc.record({
    start: fc.integer({ min: 0, max: 300 }),
    days: fc.integer({ min: 1, max: 400 }),
    issued: fc.integer({ min: -10, max: 10 }),
    parts: fc.array(fc.integer({ min: -3_000, max: 20_000 }), { minLength: 1, maxLength: 3 }),
    refunds: fc.array(fc.record({ day: fc.nat(400), share: fc.double({ min: 0, max: 1, noNaN: true }) }), {
      maxLength: 3,
    }),
    pauses: fc.array(fc.record({ gap: fc.integer({ min: 1, max: 60 }), days: fc.integer({ min: 1, max: 92 }) }), {
      maxLength: 2,
    }),
    ends: fc.option(fc.nat(400)),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ start, days, issued, parts, refunds, pauses, ends }) => {
      await clear();
      const context = app.context();
      const sum = parts.reduce((all, part) => all + part, 0);
      const amountCents = Math.max(1, sum);
      const { gstCents, totalCents } = calculateQuote({ amountCents, discount: null, gstBasisPoints: 1_000 });
      // The last line makes the sum positive.
      const rest = amountCents - sum;
      const period = toServiceDays(at(start), at(start + days));
      const invoice = await createTaxInvoice(app, user, {
        issuedAt: at(start + issued),
        paidAt: at(start + issued),
        subscription,
        lines: [...parts, rest].map((cents) => ({ description: "Part", amountCents: cents, period })),
        gstCents,
        totalCents,
      });
      let pausedAt = start;
      const paused = new Set<string>();
      const em = context.em.fork();
      for (const { gap, days: length } of pauses) {
        const from = pausedAt + gap;
        pausedAt = from + length;
        em.create(SubscriptionPause, { subscription, pausedAt: at(from), until: at(pausedAt), endedAt: at(pausedAt) });
        for (let day = from + 1; day < pausedAt; day++) paused.add(addDays("2023-06-25", day));
      }
      await em.flush();
      await moveServicePeriods(em, subscription.id);
      const ordered = refunds.toSorted((one, other) => one.day - other.day);
      const dated = ordered.map(({ day, share }) => ({ at: at(start + issued + day), share }));
      await refund(invoice, dated);
      if (ends !== null) await endServicePeriods(em, { subscriptionId: subscription.id }, at(start + ends));

      const booked = new Set([invoice, ...(await listNotes(invoice))].map(({ issuedAt }) => getCalendarDay(issuedAt)));
      const { rows } = await app.services.pool.query<{ last: string; ended: string | null; net: number }>(
        `select max(last_day)::text as last, max(ended_on)::text as ended, sum(to_cents - from_cents)::int as net from service_periods`,
      );
      const { last = "", ended = null, net = 0 } = rows[0] ?? {};
      const first = [at(start), at(start + issued)].map((day) => getCalendarDay(day)).toSorted()[0] ?? "";
      const checked = Array.from({ length: 120 }, (_, index) => addDays(first, 9 * index - 1 + (index % 7)));
      for (const [index, { revenue, deferred }] of (await readSpans(checked.map((day) => [day, day]))).entries()) {
        const day = checked[index] ?? "";
        const isService = day >= period.firstDay && day <= last && !paused.has(day);
        expect(deferred).toBeGreaterThanOrEqual(0);
        if (!isService && !booked.has(day) && day !== ended) expect([day, revenue]).toEqual([day, 0]);
      }
      expect((await readDays(addDays(first, -1), addDays(first, 1_200)))?.revenue).toBe(net);
      await app.services.pool.query("delete from subscription_pauses");
    }),
    { numRuns: 8 },
  );
  await clear();
});

async function refund({ id, totalCents }: TaxInvoice, parts: readonly { at: Date; share: number }[]): Promise<void> {
  let left = totalCents;
  for (const { at, share } of parts) {
    const refundedCents = Math.min(left, Math.ceil(left * share));
    if (refundedCents === 0) continue;
    left -= refundedCents;
    const context = app.context();
    await issueAdjustmentNote(context, context.em, { invoiceId: id, refundedCents, refundedAt: at, issuedAt: at });
  }
}

async function listNotes({ id }: TaxInvoice): Promise<{ issuedAt: Date }[]> {
  const { rows } = await app.services.pool.query("select issued_at from tax_invoices where adjusts_id = $1", [id]);
  return rows.map((row) => ({ issuedAt: new Date(row.issued_at) }));
}

test("earns a line by hand over its service period, and one without when the invoice is issued", async () => {
  const customer = await createCorporateUser(app);
  const draft = await createDraftInvoice(app, customer, {
    lines: [
      { description: "A year", quantity: 2, unitCents: 36_500, firstDay: today, lastDay: addDays(today, 364) },
      { description: "Training", quantity: 1, unitCents: 10_000 },
    ],
  });
  await issueInvoice(app.context(), draft.id, draft.revision);
  expect(await readDays(today, today)).toEqual({ revenue: 10_200, deferred: 72_800 });
  expect(await readDays(addDays(today, 1), addDays(today, 10))).toEqual({ revenue: 2_000, deferred: 70_800 });
  await clear();
});

test("suggests the period of the invoice's licence, and releases the rest while staff deactivate the licence", async () => {
  const customer = await createCorporateUser(app);
  const licence = await createLicence(app, customer, { expiresAt: new Date(`${addDays(today, 10)}T23:59:59.999Z`) });
  const terms = { productLevel: licence.productLevel, numberOfUsers: 1, numberOfMachines: 1 };
  const draft = await createDraftInvoice(app, customer, {
    lines: [
      { description: "100 days more", quantity: 1, unitCents: 10_000 },
      { description: "Setup", quantity: 1, unitCents: 5_000, withoutPeriod: true },
    ],
    licence: { licenceId: licence.id, ...terms, until: addDays(today, 110) },
  });
  expect(draft.lines.map(({ firstDay, lastDay }) => [firstDay, lastDay])).toEqual([
    [addDays(today, 11), addDays(today, 110)],
    [null, null],
  ]);
  await issueInvoice(app.context(), draft.id, draft.revision);
  const payment = buildPayment(app, { amountCents: 16_500 });
  await recordPayment(app.context(), draft.id, payment, { key: crypto.randomUUID(), expected: 16_500 });
  expect(await readDays(today, today)).toEqual({ revenue: 5_000, deferred: 10_000 });
  await deactivateLicence(app.context(), customer.id, licence.id);
  expect(await readDays(today, today)).toEqual({ revenue: 15_000, deferred: 0 });
  await reinstateLicence(app.context(), customer.id, licence.id);
  expect(await readDays(today, today)).toEqual({ revenue: 5_000, deferred: 10_000 });
  await clear();
});

test("rejects half a service period, one that ends before it starts, and one of over 10 years, of a licence too", async () => {
  const customer = await createCorporateUser(app);
  for (const [days, fields] of [
    [{ firstDay: today }, ["lines[0].lastDay"]],
    [{ lastDay: today }, ["lines[0].firstDay"]],
    [{ firstDay: today, lastDay: addDays(today, -1) }, ["lines[0].lastDay"]],
    [{ firstDay: today, lastDay: addDays(today, 4_000) }, ["lines[0].lastDay"]],
  ] as const) {
    const lines = [{ description: "Work", quantity: 1, unitCents: 100, ...days }];
    const draft = { userId: customer.id, input: { lines }, key: crypto.randomUUID() };
    const created = app.call("createInvoice { id }", draft, finance);
    expect(await created.catch((error: { fields: object }) => Object.keys(error.fields))).toEqual(fields);
  }
  const licence = { productLevel: 14, numberOfUsers: 1, numberOfMachines: 1, until: addDays(today, 4_000) };
  await expect(createDraftInvoice(app, customer, { licence })).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});
