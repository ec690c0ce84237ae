import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { findBookDifferencesSql } from "#api/billing/journal/check-books.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { ReceivedPayment } from "#api/billing/payments/payment.entity.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { acceptQuote } from "#api/billing/quotes/accept-quote.ts";
import { sendQuote } from "#api/billing/quotes/send-quote.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { buildPayment, createDraftInvoice, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createCorporateUser } from "#tests/factories/user.ts";
import { killAtOutput } from "#tests/support/programs.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import type { PausedBilling } from "#tests/support/pause-billing.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: false });
const em = () => app.context().em;
const licence = { productLevel: 16, numberOfUsers: 5, numberOfMachines: 10, until: "2029-06-30" };

/** Runs an action in another process up to a statement, and kills it there. */
async function killAfter(statement: string, action: Pick<PausedBilling, "payment" | "quoteToken">): Promise<void> {
  const given: PausedBilling = { database: app.database, config: app.services.config, statement, ...action };
  await killAtOutput("pause-billing", [JSON.stringify(given)]);
}

const findBookDifferences = async () => (await app.services.pool.query(findBookDifferencesSql)).rows;

const countEmails = async (email: string, start: string) =>
  (await listEmailsTo(app, email)).filter(({ subject }) => subject.startsWith(start)).length;

test.each([
  ["insert into received_payments", false],
  ["insert into journal_entries", false],
  ["insert into licences", false],
  ["insert into mails", false],
  ["commit", true],
])("records a payment and its licence once if it is killed after '%s' and sent again", async (statement, isDone) => {
  const user = await createCorporateUser(app);
  const { id } = await createOpenInvoice(app, user, { licence });
  const payment = { invoiceId: id, values: buildPayment(app), key: randomUUID(), expected: 110_000 };
  await killAfter(statement, { payment });
  const count = () => em().count(ReceivedPayment, { invoice: id });
  await expect.poll(count).toBe(isDone ? 1 : 0);
  expect(await findBookDifferences()).toEqual([]);
  await recordPayment(app.context(), id, payment.values, payment);
  expect(await count()).toBe(1);
  expect(await em().count(Licence, { user: user.id })).toBe(1);
  expect((await em().findOneOrFail(ManualInvoice, id)).status).toBe("paid");
  expect(await countEmails(user.email, "Receipt")).toBe(1);
  expect(await findBookDifferences()).toEqual([]);
});

test.each([
  ["update number_sequences", false],
  ["insert into journal_entries", false],
  ["insert into mails", false],
  ["commit", true],
])("issues one invoice if a quote's acceptance is killed after '%s' and repeated", async (statement, isDone) => {
  const user = await createCorporateUser(app);
  const draft = await createDraftInvoice(app, user);
  const validUntil = addDays(getCalendarDay(app.clock.now()), 30);
  await sendQuote(app.context(), draft.id, draft.revision, validUntil);
  const quoteToken = await findEmailedSecret(app, user.email);
  await killAfter(statement, { quoteToken });
  await expect.poll(() => em().count(TaxInvoice, { user: user.id })).toBe(isDone ? 1 : 0);
  expect(await findBookDifferences()).toEqual([]);
  await acceptQuote(app.context(), quoteToken, { name: "Ada Bell", role: "Finance Manager" });
  expect(await em().count(TaxInvoice, { user: user.id })).toBe(1);
  expect(await countEmails(user.email, "Invoice ")).toBe(1);
  const numbers = (await em().find(TaxInvoice, {})).map(({ number }) => Number(number)).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => 100_001 + index));
  expect(await findBookDifferences()).toEqual([]);
});
