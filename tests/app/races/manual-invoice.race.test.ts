import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createContext, type Context } from "#api/platform/context.ts";
import { addCredit, getCreditCents } from "#api/billing/credits/credits.ts";
import { createInvoice } from "#api/billing/invoices/edit-invoices.ts";
import { issueInvoice } from "#api/billing/invoices/issue-invoice.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { ReceivedPayment } from "#api/billing/payments/received-payment.entity.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { TaxInvoice } from "#api/selling/invoices/tax-invoice.entity.ts";
import { buildInvoice, buildPayment, createDraftInvoice, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createAdmin, createCorporateUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp({ rateLimits: false });
const other = await openSecondProcess(app);
const admin = await createAdmin(app);
const actor = { userId: admin.id, sessionId: admin.id, role: "admin" } as const;
/** Returns the context of one of the two processes. */
const createContextFor = (n: number): Context => createContext(n % 2 ? app.services : other, { actor });
const em = () => app.context().em;
const ROUNDS = 8;
const licence = { productLevel: 16, numberOfUsers: 5, numberOfMachines: 10, until: "2029-06-30" };
const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));
const succeeded = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === "fulfilled").length;

test.each([
  ["with the same key", true, 8],
  ["with different keys", false, 1],
])("records one of eight concurrent payments %s and issues one licence", async (_name, isSameKey, expected) => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createCorporateUser(app);
    const invoice = await createOpenInvoice(app, user, { licence });
    const key = randomUUID();
    const outcomes = await times(8, (n) =>
      recordPayment(createContextFor(n), invoice.id, buildPayment(app), {
        key: isSameKey ? key : randomUUID(),
        expected: 110_000,
      }),
    );
    expect(succeeded(outcomes)).toBe(expected);
    expect(await em().count(ReceivedPayment, { invoice: invoice.id })).toBe(1);
    expect(await em().count(Licence, { user: user.id })).toBe(1);
    expect(await getCreditCents(em(), user.id)).toBe(0);
    const receipts = (await listEmailsTo(app, user.email)).filter(({ subject }) => subject.startsWith("Receipt"));
    expect(receipts).toHaveLength(1);
  }
});

test("leaves an invoice either paid with a licence or void without one, if it is voided while it is paid", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createCorporateUser(app);
    const { id } = await createOpenInvoice(app, user, { licence });
    const outcomes = await times<unknown>(6, (n) =>
      n % 3 === round % 3
        ? voidInvoice(createContextFor(n), id, "Wrong customer")
        : recordPayment(createContextFor(n), id, buildPayment(app), { key: randomUUID(), expected: 110_000 }),
    );
    const invoice = await em().findOneOrFail(ManualInvoice, id, { populate: ["voidNote"] });
    const isPaid = invoice.status === "paid";
    expect(invoice.status).toBe(isPaid ? "paid" : "void");
    expect(succeeded(outcomes)).toBe(isPaid ? 1 : 2);
    expect(invoice.voidNote === null).toBe(isPaid);
    expect(await em().count(Licence, { user: user.id })).toBe(isPaid ? 1 : 0);
    expect(await em().count(ReceivedPayment, { invoice: id })).toBe(isPaid ? 1 : 0);
    expect(await em().count(TaxInvoice, { user: user.id, kind: "adjustment" })).toBe(isPaid ? 0 : 1);
  }
});

test("creates and issues an invoice once for repeated requests, and numbers have no gaps", async () => {
  const user = await createCorporateUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const key = randomUUID();
    const created = await Promise.all(
      Array.from({ length: 6 }, (_, n) => createInvoice(createContextFor(n), user.id, buildInvoice(), key)),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    const [{ id, revision } = { id: "", revision: 0 }] = created;
    const issued = await Promise.all(
      Array.from({ length: 6 }, (_, n) => issueInvoice(createContextFor(n), id, revision)),
    );
    expect(new Set(issued.map(({ taxInvoice }) => taxInvoice?.number)).size).toBe(1);
  }
  const all = await em().find(TaxInvoice, { kind: "invoice" });
  const numbers = all.map(({ number }) => Number(number)).toSorted((one, two) => one - two);
  expect(numbers).toEqual(numbers.map((_, index) => 100_001 + index));
});

test("never applies more credit than a customer has to concurrent invoices", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createCorporateUser(app);
    const key = randomUUID();
    await times(4, (n) => addCredit(createContextFor(n), user.id, { amountCents: 150_000, reason: "Sorry" }, key));
    const drafts = await Promise.all(Array.from({ length: 3 }, () => createDraftInvoice(app, user)));
    await Promise.all(drafts.map(({ id, revision }, n) => issueInvoice(createContextFor(n), id, revision)));
    const invoices = await em().find(ManualInvoice, { user: user.id });
    expect(invoices.reduce((sum, { creditCents }) => sum + creditCents, 0)).toBe(150_000);
    expect(await getCreditCents(em(), user.id)).toBe(0);
  }
});
