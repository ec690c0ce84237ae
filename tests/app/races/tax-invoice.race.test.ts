import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#api/app/database.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { issueAdjustmentNote } from "#api/selling/invoices/issue-adjustment-note.ts";
import { issueTaxInvoice } from "#api/selling/invoices/issue-tax-invoice.ts";
import { TaxInvoice } from "#api/selling/invoices/tax-invoice.entity.ts";
import { createTaxInvoice, monthOfProfessional } from "#tests/factories/invoice.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
// A second pool, as another process would have.
const beside = await openDatabase(app.database);
afterAll(() => beside.close(true));
const ROUNDS = 15;
const AT_ONCE = 20;
const forked = (n: number) => (n % 2 ? beside : app.services.orm).em.fork() as EntityManager;

const numbers = async (kind: TaxInvoice["kind"]) => {
  const invoices = await app.services.orm.em.fork().find(TaxInvoice, { kind });
  return invoices.map((invoice) => Number(invoice.number.replace("A-", ""))).toSorted((one, other) => one - other);
};

test("20 invoices at once, a third of them rolled back, have no gap and no number twice, 15 rounds", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, n) =>
        forked(n).transactional(async (em) => {
          await issueTaxInvoice(app.context(), em, monthOfProfessional(app, user));
          if (n % 3 === 0) throw new Error("rolled back");
        }),
      ),
    );
  }
  const taken = await numbers("invoice");
  expect(taken).toHaveLength(ROUNDS * 13);
  expect(taken).toEqual(taken.map((_, index) => 100_001 + index));
}, 120_000);

test("20 times the same invoice of the provider at once is one, 15 rounds", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const issued = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        issueTaxInvoice(app.context(), forked(n), monthOfProfessional(app, user, { providerInvoiceId: `in_${round}` })),
      ),
    );
    expect(new Set(issued.map((invoice) => invoice.number)).size).toBe(1);
  }
  const taken = await numbers("invoice");
  expect(taken).toEqual(taken.map((_, index) => 100_001 + index));
}, 120_000);

test("refunds at once never come to more than their invoice, and one refund is one note", async () => {
  const invoice = await createTaxInvoice(app, await createUser(app));
  const refund = (n: number, providerRefundId: string) =>
    issueAdjustmentNote(app.context(), forked(n), {
      invoiceId: invoice.id,
      refundedCents: 5_000,
      providerRefundId,
      refundedAt: app.clock.now(),
    });
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, n) => refund(n, `re_${n % 10}`)));
  const notes = new Set(outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value.number] : [])));
  expect(notes.size).toBe(3);
  expect(await numbers("adjustment")).toEqual([100_001, 100_002, 100_003]);
});
