import { afterAll, expect, test } from "vitest";
import { openDatabase } from "#api/app/database.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { issueAdjustmentNote } from "#api/selling/invoices/issue-adjustment-note.ts";
import { issueTaxInvoice } from "#api/selling/invoices/issue-tax-invoice.ts";
import { TaxInvoice } from "#api/selling/invoices/tax-invoice.entity.ts";
import { createTaxInvoice, professionalMonth } from "#tests/factories/invoice.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
// A second pool simulates another process.
const otherPool = await openDatabase(app.database);
afterAll(() => otherPool.close(true));
const ROUNDS = 15;
const AT_ONCE = 20;
const forkEntityManager = (n: number) => (n % 2 ? otherPool : app.services.orm).em.fork() as EntityManager;

const listNumbers = async (kind: TaxInvoice["kind"]) => {
  const invoices = await app.services.orm.em.fork().find(TaxInvoice, { kind });
  return invoices.map((invoice) => Number(invoice.number.replace("A-", ""))).toSorted((one, other) => one - other);
};

test("numbers concurrent invoices without gaps or duplicates even if a third of them roll back", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, n) =>
        forkEntityManager(n).transactional(async (em) => {
          await issueTaxInvoice(app.context(), em, professionalMonth(app, user));
          if (n % 3 === 0) throw new Error("rolled back");
        }),
      ),
    );
  }
  const taken = await listNumbers("invoice");
  expect(taken).toHaveLength(ROUNDS * 13);
  expect(taken).toEqual(taken.map((_, index) => 100_001 + index));
}, 120_000);

test("issues one invoice for 20 concurrent copies of a provider invoice", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const issued = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        issueTaxInvoice(
          app.context(),
          forkEntityManager(n),
          professionalMonth(app, user, { providerInvoiceId: `in_${round}` }),
        ),
      ),
    );
    expect(new Set(issued.map((invoice) => invoice.number)).size).toBe(1);
  }
  const taken = await listNumbers("invoice");
  expect(taken).toEqual(taken.map((_, index) => 100_001 + index));
}, 120_000);

test("never refunds more than the invoice total and issues one adjustment note per refund if refunds are concurrent", async () => {
  const invoice = await createTaxInvoice(app, await createUser(app));
  const refund = (n: number, providerRefundId: string) =>
    issueAdjustmentNote(app.context(), forkEntityManager(n), {
      invoiceId: invoice.id,
      refundedCents: 5_000,
      providerRefundId,
      refundedAt: app.clock.now(),
    });
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, n) => refund(n, `re_${n % 10}`)));
  const notes = new Set(outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value.number] : [])));
  expect(notes.size).toBe(3);
  expect(await listNumbers("adjustment")).toEqual([100_001, 100_002, 100_003]);
});
