import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listTaxEntries, readTaxSummary } from "#api/billing/tax/read-tax.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { addCredit } from "#api/billing/credits/credits.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { getBalanceCents } from "#api/billing/invoices/invoice-status.ts";
import { buildPayment, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createCorporateUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const allTime = { basis: "cash", startDate: new Date("2000-01-01"), endDate: new Date("2099-12-31") } as const;

/** Pays a part of an invoice and returns its balance. */
async function pay(invoiceId: string, amountCents: number): Promise<number> {
  const find = async () => app.context().em.findOneOrFail(ManualInvoice, invoiceId);
  const balance = getBalanceCents(await find());
  await recordPayment(app.context(), invoiceId, buildPayment(app, { amountCents }), {
    expected: balance,
    key: randomUUID(),
  });
  return getBalanceCents(await find());
}

async function listRows(customer: string) {
  const request = { ...allTime, figure: "total-sales", search: customer, offset: 0, limit: 100 } as const;
  const { rows } = await listTaxEntries(app.context(), request);
  return rows.map(({ totalCents, gstCents }) => ({ totalCents, gstCents }));
}

const sum = (rows: readonly { totalCents: number; gstCents: number }[], name: "totalCents" | "gstCents") =>
  rows.reduce((all, row) => all + row[name], 0);

let count = 0;
const createCustomer = async () => {
  count++;
  const name = `Buyer${count}x`;
  return { name, user: await createCorporateUser(app, { companyName: name }) };
};

describe("GST on a cash basis", () => {
  test("doesn't count an unpaid invoice, and splits its GST over partial payments", async () => {
    const { name, user } = await createCustomer();
    const invoice = await createOpenInvoice(app, user);
    expect(await listRows(name)).toEqual([]);
    await pay(invoice.id, 33_333);
    expect(await listRows(name)).toEqual([{ totalCents: 33_333, gstCents: 3_030 }]);
    await pay(invoice.id, 33_333);
    await pay(invoice.id, 43_334);
    const rows = await listRows(name);
    expect([sum(rows, "totalCents"), sum(rows, "gstCents")]).toEqual([110_000, 10_000]);
  });

  test("counts an overpayment only when it is applied to the next invoice", async () => {
    const { name, user } = await createCustomer();
    const first = await createOpenInvoice(app, user);
    await pay(first.id, 120_000);
    expect(sum(await listRows(name), "totalCents")).toBe(110_000);
    await createOpenInvoice(app, user);
    expect(sum(await listRows(name), "totalCents")).toBe(120_000);
  });

  test("counts an invoice that credit pays in full once", async () => {
    const { name, user } = await createCustomer();
    await addCredit(app.context(), user.id, { amountCents: 110_000, reason: "Paid", isPaid: true }, randomUUID());
    await createOpenInvoice(app, user);
    expect(await listRows(name)).toEqual([{ totalCents: 110_000, gstCents: 10_000 }]);
  });

  test("doesn't count goodwill, which reduces the GST of the invoice it is used on", async () => {
    const { name, user } = await createCustomer();
    await addCredit(app.context(), user.id, { amountCents: 15_000, reason: "Sorry" }, randomUUID());
    const invoice = await createOpenInvoice(app, user);
    expect(await listRows(name)).toEqual([]);
    expect(await pay(invoice.id, 95_000)).toBe(0);
    expect(await listRows(name)).toEqual([{ totalCents: 95_000, gstCents: 8_636 }]);
  });

  test("takes back what was paid for an invoice that is voided", async () => {
    const before = await readTaxSummary(app.context(), allTime);
    const { user } = await createCustomer();
    const invoice = await createOpenInvoice(app, user);
    await pay(invoice.id, 12_345);
    await voidInvoice(app.context(), invoice.id, "Wrong customer");
    const after = await readTaxSummary(app.context(), allTime);
    const find = (figures: typeof after, figure: string) => figures.find(({ name }) => name === figure)?.cents;
    for (const [figure, change] of [
      ["total-sales", 12_345],
      ["adjustments", -12_345],
      ["gst-on-sales", 1_122],
      ["gst-on-adjustments", 1_122],
      ["net-gst", 0],
    ] as const)
      expect([figure, (find(after, figure) ?? 0) - (find(before, figure) ?? 0)]).toEqual([figure, change]);
  });

  test("adds up to the invoice's GST for any split into payments", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 99_999 }),
        fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 5 }),
        async (unitCents, payments) => {
          const { name, user } = await createCustomer();
          const lines = [{ description: "Work", quantity: 1, unitCents }];
          const { id, gstCents, totalCents } = await createOpenInvoice(app, user, { lines });
          let balance = totalCents;
          for (const amount of payments) if (balance > 0) balance = await pay(id, Math.min(amount, balance));
          if (balance > 0) balance = await pay(id, balance);
          const rows = await listRows(name);
          expect([balance, sum(rows, "totalCents"), sum(rows, "gstCents")]).toEqual([0, totalCents, gstCents]);
          for (const row of rows) expect(Math.abs(row.gstCents - row.totalCents / 11)).toBeLessThanOrEqual(1.5);
        },
      ),
      { numRuns: 15 },
    );
  });
});
