import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { sendInvoiceReminders } from "#api/billing/invoices/send-invoice-reminders.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { buildInvoice } from "#tests/factories/manual-invoice.ts";
import { createPaidInvoice } from "#tests/factories/refund.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import { openSubscriptionCalls } from "#tests/factories/subscription-calls.ts";

const app = await startTestApp({ rateLimits: false });
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { send, create, issue, open, pay, cancel } = createInvoiceRequests(app, finance);
const fields = "{ name email secondEmail purchaseOrder }";

const updateMine = (token: string, input: object) => send(`updateMyBillingContact ${fields}`, { input }, token);
const listSubjects = async (email: string) => (await listEmailsTo(app, email)).map(({ subject }) => subject);

test("the customer's contacts get invoices, receipts and cancellations, each address once, without the licence code", async () => {
  const user = await createCorporateUser(app);
  const [contact, second] = [`accounts-${user.id}@example.com`, `payables-${user.id}@example.com`];
  const token = await signInAs(app, user);
  const input = { name: "Accounts", email: contact, secondEmail: second, purchaseOrder: "PO-77" };
  expect([await updateMine(token, input), await send(`myBillingContact ${fields}`, {}, token)]).toEqual([input, input]);
  const invoice = await open(user, {
    purchaseOrder: "",
    licence: { productLevel: "CORPORATE_DARK_CONCURRENT", numberOfUsers: 2, numberOfMachines: 2, until: "2029-06-30" },
  });
  expect(invoice.purchaseOrder).toBe("PO-77");
  await pay(invoice);
  const other = await open(user);
  expect(other.purchaseOrder).toBe("PO-2291");
  await cancel(other);
  const subjects = [
    `Invoice ${invoice.number} from Planvarro Software`,
    `Receipt for invoice ${invoice.number} from Planvarro Software`,
    `Invoice ${other.number} from Planvarro Software`,
    `Invoice ${other.number} from Planvarro Software was cancelled`,
  ].toSorted();
  for (const email of [user.email, contact, second]) expect((await listSubjects(email)).toSorted()).toEqual(subjects);
  const readReceipt = async (email: string) =>
    (await listEmailsTo(app, email)).find(({ subject }) => subject.startsWith("Receipt"))?.text;
  expect(await readReceipt(user.email)).toMatch(/its code:/);
  expect(await readReceipt(contact)).toMatch(/Hello Accounts,/);
  expect(await readReceipt(contact)).not.toMatch(/code/i);
  // A contact has no account, so no email links to its pages.
  const hasLink = async (email: string) =>
    (await listEmailsTo(app, email)).map(({ text }) => text.includes("/tax-invoices/"));
  const all = (value: boolean) => subjects.map(() => value);
  expect([await hasLink(user.email), await hasLink(contact)]).toEqual([all(true), all(false)]);

  // The same address as the customer's, or twice, gets one email.
  await updateMine(token, { email: user.email.toUpperCase(), secondEmail: contact });
  const third = await open(user);
  const count = async (email: string) => (await listSubjects(email)).filter((one) => one.includes(third.number)).length;
  expect([await count(user.email), await count(contact), await count(second)]).toEqual([1, 1, 0]);
});

test("a draft without a purchase order number gets the standing one that was added before its issue", async () => {
  const user = await createCorporateUser(app);
  const draft = await create(user, { purchaseOrder: "" });
  await updateMine(await signInAs(app, user), { purchaseOrder: "PO-78" });
  const { lines } = buildInvoice();
  const preview = await send("invoicePreview { defaultPurchaseOrder }", { userId: user.id, lines });
  expect(preview).toEqual({ defaultPurchaseOrder: "PO-78" });
  expect([draft, await issue(draft)]).toMatchObject([{ purchaseOrder: null }, { purchaseOrder: "PO-78" }]);
});

test("staff set the contact, who gets invoices paid by card with the purchase order, and documents sent again", async () => {
  const { user, invoiceId } = await createPaidInvoice(app);
  const email = `accounts-${user.id}@example.com`;
  const update = (input: object) => send(`updateBillingContact ${fields}`, { userId: user.id, input });
  expect(await update({ email, purchaseOrder: "PO-9" })).toMatchObject({ email, name: "", secondEmail: "" });
  await send("sendInvoiceAgain { id }", { taxInvoiceId: invoiceId, key: randomUUID() });
  expect(await listSubjects(email)).toHaveLength(1);
  const { put } = openSubscriptionCalls(app);
  expect((await put(await signInAs(app, user), "update-subscription/xer-professional-yearly")).status).toBe(200);
  const [mail] = (await listEmailsTo(app, email)).filter(({ text }) => text.includes("PO-9"));
  expect(mail?.subject).toMatch(/^Your tax invoice/);
  expect((await listAuditEntries(app, user.id)).map(({ action }) => action)).toContain("update-billing-contact");
  await expect(update({ email: "not an address" })).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

test("reminders go to the contacts too", async () => {
  const user = await createCorporateUser(app);
  const email = `accounts-${user.id}@example.com`;
  await updateMine(await signInAs(app, user), { email });
  const invoice = await open(user, { dueDay: addDays(getCalendarDay(app.clock.now()), 5) });
  app.clock.setOffset(2 * DAY);
  await sendInvoiceReminders.run(createContext(app.services)).finally(() => app.clock.setOffset(0));
  const isReminder = (subject: string) => subject.includes(invoice.number) && subject.includes(" is due ");
  const [own, copied] = await Promise.all([listSubjects(user.email), listSubjects(email)]);
  expect(own.filter(isReminder).length).toBeGreaterThan(0);
  expect(copied.filter(isReminder)).toEqual(own.filter(isReminder));
});
