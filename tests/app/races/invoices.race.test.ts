import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { CreditEntry } from "#api/billing/credits/credit-entry.entity.ts";
import { addCredit, getCredit } from "#api/billing/credits/credits.ts";
import { createInvoice } from "#api/billing/invoices/edit-invoices.ts";
import { issueInvoice } from "#api/billing/invoices/issue-invoice.ts";
import { findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { reissueInvoice } from "#api/billing/invoices/reissue-invoice.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { ReceivedPayment } from "#api/billing/payments/payment.entity.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { issueTaxInvoice } from "#api/billing/invoices/issue-tax-invoice.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { createTaxInvoice, professionalMonth } from "#tests/factories/invoice.ts";
import { buildInvoice, buildPayment, createDraftInvoice, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRefund, createPaidInvoice, loadRefunded, refundMutation } from "#tests/factories/refund.ts";
import { createSubscriber, listProviderInvoices, loadSubscription } from "#tests/factories/subscription.ts";
import { createUser, createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { atOnce, FEW, ROUNDS } from "#tests/support/crowds.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateContexts, alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const { id: adminId } = await createAdmin(app);
const createContextFor = await alternateContexts(app, { userId: adminId, sessionId: adminId, role: "admin" });
const em = () => app.context().em;
const AT_ONCE = 20;

const listNumbers = async (kind: TaxInvoice["kind"]) => {
  const invoices = await app.services.orm.em.fork().find(TaxInvoice, { kind });
  return invoices.map((invoice) => Number(invoice.number.replace("A-", ""))).toSorted((one, other) => one - other);
};

test("numbers concurrent invoices without gaps or duplicates even if a third of them roll back", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of10; round++) {
    await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, n) =>
        createContextFor(n).em.transactional(async (em) => {
          await issueTaxInvoice(app.context(), em, professionalMonth(app, user));
          if (n % 3 === 0) throw new Error("rolled back");
        }),
      ),
    );
  }
  const taken = await listNumbers("invoice");
  expect(taken).toHaveLength(ROUNDS.of10 * 13);
  expect(taken).toEqual(taken.map((_, index) => 100_001 + index));
});

test("issues one invoice for 20 concurrent copies of a provider invoice", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of10; round++) {
    const values = professionalMonth(app, user, { providerInvoiceId: `in_${round}` });
    const issued = await atOnce(AT_ONCE, (n) => issueTaxInvoice(app.context(), createContextFor(n).em, values));
    expect(new Set(issued.map((invoice) => invoice.number)).size).toBe(1);
  }
  const taken = await listNumbers("invoice");
  expect(taken).toEqual(taken.map((_, index) => 100_001 + index));
});

test("never refunds more than the invoice total and issues one adjustment note per refund if refunds are concurrent", async () => {
  const invoice = await createTaxInvoice(app, await createUser(app));
  const values = { invoiceId: invoice.id, refundedCents: 5_000, refundedAt: app.clock.now() };
  const refund = (n: number, providerRefundId: string) =>
    issueAdjustmentNote(app.context(), createContextFor(n).em, { ...values, providerRefundId });
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, n) => refund(n, `re_${n % 10}`)));
  expect(new Set(outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value.number] : []))).size).toBe(3);
  expect(await listNumbers("adjustment")).toEqual([100_001, 100_002, 100_003]);
});

const empty = { companyName: "", abn: "", unitNumber: "", fullAddress: "" };
const street = { streetNumber: "3", streetName: "Albert Street" };
const buyer = { ...empty, ...street, city: "Brisbane", state: "QLD", postCode: "4000", country: "Australia" };
const licence = { productLevel: 16, numberOfUsers: 5, numberOfMachines: 10, until: "2029-06-30" };
const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => work(n)));
const succeeded = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === "fulfilled").length;

test.each([
  ["with the same key", true, 8],
  ["with different keys", false, 1],
])("records one of eight concurrent payments %s and issues one licence", async (_name, isSameKey, expected) => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const user = await createCorporateUser(app);
    const invoice = await createOpenInvoice(app, user, { licence });
    const key = randomUUID();
    const outcomes = await times(8, (n) => {
      const guard = { key: isSameKey ? key : randomUUID(), expected: 110_000 };
      return recordPayment(createContextFor(n), invoice.id, buildPayment(app), guard);
    });
    expect(succeeded(outcomes)).toBe(expected);
    expect(await em().count(ReceivedPayment, { invoice: invoice.id })).toBe(1);
    expect(await em().count(Licence, { user: user.id })).toBe(1);
    expect(await getCredit(em(), user.id)).toEqual({ goodwillCents: 0, paidCents: 0 });
    const receipts = (await listEmailsTo(app, user.email)).filter(({ subject }) => subject.startsWith("Receipt"));
    expect(receipts).toHaveLength(1);
  }
});

test("does one of two concurrent requests with one key and other content, and refuses the other one", async () => {
  const refusal = { status: "rejected", reason: { code: "CONFLICT", reason: "REQUEST_KEY_USED" } };
  const race = async (work: (n: number, kind: number) => Promise<unknown>) => {
    const outcomes = await times(8, (n) => work(n, Math.trunc(n / 2) % 2));
    expect(succeeded(outcomes)).toBe(4);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome).toMatchObject(refusal);
  };
  for (let round = 0; round < ROUNDS.of5; round++) {
    const key = randomUUID();
    const users = [await createCorporateUser(app), await createCorporateUser(app)];
    const [payer = { id: "" }] = users;
    const { id } = await createOpenInvoice(app, payer);
    await race((n, kind) => {
      const payment = buildPayment(app, { amountCents: kind ? 30_000 : 40_000 });
      return recordPayment(createContextFor(n), id, payment, { key, expected: 110_000 });
    });
    expect(await em().count(ReceivedPayment, { invoice: id })).toBe(1);
    // Requests for two customers don't wait for the same lock.
    const credit = { amountCents: 100, reason: "Sorry", isPaid: false };
    await race((n, kind) => addCredit(createContextFor(n), users[kind]?.id ?? "", credit, key));
    expect(await em().count(CreditEntry, { key })).toBe(1);
  }
});

test("leaves an invoice either paid with a licence or void without one, if it is voided while it is paid", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
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

test("re-issues an invoice to one of two buyers while it is paid, and keeps the payment", async () => {
  const [railWorks, bridges] = ["Rail Works", "Bridges"].map((companyName) => ({ ...buyer, companyName }));
  for (let round = 0; round < ROUNDS.of5; round++) {
    const user = await createCorporateUser(app);
    const { id, taxInvoice } = await createOpenInvoice(app, user);
    const outcomes = await times<unknown>(6, (n) =>
      n === round
        ? recordPayment(createContextFor(n), id, buildPayment(app), { key: randomUUID(), expected: 110_000 })
        : reissueInvoice(createContextFor(n), taxInvoice?.id ?? "", (n % 3 ? railWorks : bridges) ?? buyer, "Moved"),
    );
    expect(outcomes[round]?.status).toBe("fulfilled");
    expect(await em().count(TaxInvoice, { user: user.id, kind: "invoice" })).toBe(2);
    expect(await em().count(TaxInvoice, { user: user.id, kind: "adjustment" })).toBe(1);
    const invoice = await em().findOneOrFail(ManualInvoice, id, { populate: ["taxInvoice"] });
    expect(invoice).toMatchObject({ status: "paid", taxInvoice: { replaces: { id: taxInvoice?.id } } });
  }
});

test("creates and issues an invoice once for repeated requests, and numbers have no gaps", async () => {
  const user = await createCorporateUser(app);
  for (let round = 0; round < ROUNDS.of5; round++) {
    const key = randomUUID();
    const created = await atOnce(6, (n) => createInvoice(createContextFor(n), user.id, buildInvoice(), key));
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    const [{ id, revision } = { id: "", revision: 0 }] = created;
    const issued = await atOnce(6, (n) => issueInvoice(createContextFor(n), id, revision));
    expect(new Set(issued.map(({ taxInvoice }) => taxInvoice?.number)).size).toBe(1);
  }
  const all = await em().find(TaxInvoice, { kind: "invoice" });
  const numbers = all.map(({ number }) => Number(number)).toSorted((one, two) => one - two);
  expect(numbers).toEqual(numbers.map((_, index) => 100_001 + index));
});

test("never applies more credit than a customer has to concurrent invoices", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const user = await createCorporateUser(app);
    const key = randomUUID();
    const paid = { amountCents: 50_000, reason: "Paid twice", isPaid: true };
    await addCredit(createContextFor(0), user.id, paid, randomUUID());
    await times(4, (n) => addCredit(createContextFor(n), user.id, { amountCents: 100_000, reason: "Sorry" }, key));
    const drafts = await atOnce(3, () => createDraftInvoice(app, user));
    await Promise.all(drafts.map(({ id, revision }, n) => issueInvoice(createContextFor(n), id, revision)));
    const invoices = await em().find(ManualInvoice, { user: user.id });
    expect(invoices.reduce((sum, one) => sum + one.creditCents + one.goodwillCents, 0)).toBe(150_000);
    expect(await getCredit(em(), user.id)).toEqual({ goodwillCents: 0, paidCents: 0 });
  }
});

const TOTAL = 16_495;

interface Answer {
  readonly data: { refundInvoice: { id: string } } | null;
  readonly errors?: { extensions: { code: string } }[];
}

/** Sends refunds concurrently, alternately to two processes and by two admins. */
async function press(buildInput: (press: number) => object): Promise<Answer[]> {
  const tokens = await Promise.all([0, 1].map(async () => signInAs(app, await createAdmin(app))));
  const answers = await atOnce(FEW, (n) => {
    const variables = { input: buildInput(n) };
    return call("POST", "/graphql", { query: refundMutation, variables }, tokens[Math.trunc(n / 2) % 2]);
  });
  return answers.map(({ json }) => json as Answer);
}

async function expectOneRefund(userId: string, amountCents: number): Promise<void> {
  const [invoice] = await listProviderInvoices(app, userId);
  expect(invoice?.refunds.map((refund) => refund.amountCents)).toEqual([amountCents]);
  const { rows } = await app.services.pool.query("select status from refunds where user_id = $1", [userId]);
  expect(rows).toEqual([{ status: "DONE" }]);
  expect((await loadRefunded(app, userId)).notes.map((note) => note.total_cents)).toEqual([-amountCents]);
}

test("refunds once when two admins press Refund at once with one key each", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const { user, invoiceId } = await createPaidInvoice(app);
    const keys = [randomUUID(), randomUUID()];
    const terms = { amountCents: 5_000, remainingCents: TOTAL };
    const answers = await press((n) => buildRefund(invoiceId, { ...terms, key: keys[Math.trunc(n / 2) % 2] }));
    const accepted = answers.flatMap(({ data }) => data?.refundInvoice?.id ?? []);
    expect(new Set(accepted).size).toBe(1);
    const codes = answers.flatMap(({ errors }) => errors?.[0]?.extensions.code ?? []);
    expect(codes.every((code) => code === "CONFLICT")).toBe(true);
    await expectOneRefund(user.id, 5_000);
  }
});

test("refunds an invoice in full once for requests with different keys", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const { user, invoiceId } = await createPaidInvoice(app);
    expect((await press(() => buildRefund(invoiceId))).filter(({ data }) => data?.refundInvoice)).toHaveLength(1);
    await expectOneRefund(user.id, TOTAL);
  }
});

test("never refunds more than was paid for concurrent partial refunds", async () => {
  const { user, invoiceId } = await createPaidInvoice(app);
  const answers = await press(() => buildRefund(invoiceId, { amountCents: 3_000 }));
  expect(answers.filter(({ data }) => data?.refundInvoice).length).toBe(5);
  const [invoice] = await listProviderInvoices(app, user.id);
  expect(invoice?.refunds.reduce((all, refund) => all + refund.amountCents, 0)).toBe(15_000);
});

test("extends a licence once when two admins press Extend Licence at once", async () => {
  const { user, subscription, licence } = await createSubscriber(app);
  const tokens = await Promise.all([0, 1].map(async () => signInAs(app, await createAdmin(app))));
  const keys = [randomUUID(), randomUUID()];
  const query = "mutation ($input: SubscriptionActionInput!) { runSubscriptionAction(input: $input) { id status } }";
  await atOnce(FEW, (n) => {
    const admin = Math.trunc(n / 2) % 2;
    const terms = { days: 7, licenceExpiresAt: licence.expiresAt.toISOString(), reason: "Card in the post" };
    const input = { subscriptionId: subscription.id, kind: "EXTEND_LICENCE", key: keys[admin], ...terms };
    return call("POST", "/graphql", { query, variables: { input } }, tokens[admin]);
  });
  const movedMs = (await loadSubscription(app, user.id)).licence.expiresAt.getTime() - licence.expiresAt.getTime();
  expect(movedMs / 86_400_000).toBe(7);
});

test("records the entries of everything above once", async () => {
  expect((await app.services.pool.query(findBookDifferencesSql)).rows).toEqual([]);
});
