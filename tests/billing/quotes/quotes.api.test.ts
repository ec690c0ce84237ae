import { expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { attachmentWriters } from "#api/app/background-work.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { renderQuoteAttachment } from "#api/billing/quotes/quote-file.ts";
import { Quote } from "#api/billing/quotes/quote.entity.ts";
import { acceptQuote } from "#api/billing/quotes/accept-quote.ts";
import { sendQuote } from "#api/billing/quotes/send-quote.ts";
import { issueInvoice } from "#api/billing/invoices/issue-invoice.ts";
import { getSeller, TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { deliverEmail } from "#api/messaging/emails/deliver-email.ts";
import { User } from "#api/people/users/user.entity.ts";
import { DAY } from "#api/platform/clock.ts";
import { createContext } from "#api/platform/context.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import { buildInvoice, createDraftInvoice } from "#tests/factories/manual-invoice.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp({ rateLimits: false });
const other = await openSecondProcess(app);
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const { issue, cancel } = createInvoiceRequests(app, finance);
const em = () => app.context().em;
const validUntil = addDays(getCalendarDay(app.clock.now()), 30);

const send = ({ id: invoiceId, revision }: Pick<ManualInvoice, "id" | "revision">) =>
  app.call("sendQuote { id number }", { invoiceId, revision, validUntil }, finance);
const fields = "{ number state totalCents invoiceNumber lines { description } }";
const show = (token: string) => app.call(`quote ${fields}`, { token });
const ada = { name: "Ada Bell", role: "Finance Manager" };
const accept = (token: string) => app.call(`acceptQuote ${fields}`, { token, acceptance: ada });

/** Sends a quote to a new customer and returns the secret of its link. */
async function createQuote(): Promise<{ user: User; draft: ManualInvoice; token: string }> {
  const user = await createCorporateUser(app);
  const draft = await createDraftInvoice(app, user);
  await send(draft);
  return { user, draft, token: await findEmailedSecret(app, user.email) };
}

test("emails a PDF once with a link, whose secret isn't stored, and shows the quote without signing in", async () => {
  const { user, draft, token } = await createQuote();
  const quote = await show(token);
  expect(quote).toMatchObject({ state: "OPEN", totalCents: 110_000, invoiceNumber: null });
  expect(JSON.stringify(await em().findOneOrFail(Quote, { invoice: draft.id }))).not.toContain(token);
  await send(draft);
  const [email, ...repeated] = await listEmailsTo(app, user.email);
  expect(repeated).toEqual([]);
  const attachment = email?.attachment ?? { kind: "quote", invoiceId: "", filename: "" };
  const file = await renderQuoteAttachment(app.context(), attachment);
  expect(file?.filename).toBe(`Quote-${quote.number}.pdf`);
  expect(file?.content.subarray(0, 5).toString()).toBe("%PDF-");
});

test("deletes the waiting email of a quote whose draft was discarded", async () => {
  const { user, draft } = await createQuote();
  const [email] = await listEmailsTo(app, user.email);
  await app.services.pool.query("update mails set sent_at = null where id = $1", [email?.id]);
  await app.call("discardInvoice { id }", { id: draft.id }, finance);
  const config = { ...app.services.config, smtpUrl: "smtp://127.0.0.1:1" };
  await deliverEmail(createContext({ ...app.services, config }), { mailId: email?.id ?? "" }, attachmentWriters);
  expect(await listEmailsTo(app, user.email)).toEqual([]);
});

test("issues the invoice once when the customer accepts, even from two processes", async () => {
  const { user, token } = await createQuote();
  const accepted = await Promise.all(
    Array.from({ length: 8 }, (_, n) => acceptQuote(createContext(n % 2 ? app.services : other), token, ada)),
  );
  expect(new Set(accepted.map(({ invoice }) => invoice.taxInvoice?.number)).size).toBe(1);
  expect(await em().count(TaxInvoice, { user: user.id })).toBe(1);
  const invoiceNumber = accepted[0]?.invoice.taxInvoice?.number;
  expect(await accept(token)).toMatchObject({ state: "ACCEPTED", invoiceNumber });
  const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith("Invoice "))).toHaveLength(1);
});

test("shows everything that the PDF has, and records who accepted, with a purchase order and how to pay", async () => {
  const { user, draft, token } = await createQuote();
  const all = `{ state gstBasisPoints seller { name abn } customer { name contact address } purchaseOrder dueDays acceptedBy acceptedAt
    balanceCents lines { quantity unitCents amountCents } bank { bsb } }`;
  const read = () => app.call(`quote ${all}`, { token });
  expect(await read()).toMatchObject({
    state: "OPEN",
    gstBasisPoints: 1_000,
    seller: { name: getSeller().name, abn: getSeller().abn },
    customer: { name: user.companyName, contact: `${user.firstName} ${user.lastName}` },
    purchaseOrder: "PO-2291",
    dueDays: 14,
    acceptedBy: null,
    balanceCents: 0,
    bank: null,
    lines: [
      { quantity: 3, unitCents: 30_000, amountCents: 90_000 },
      { quantity: 1, unitCents: 10_000 },
    ],
  });
  const pdf = await app.rest("POST", "/v1/quote/download", { body: { token } });
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, "%PDF-"]);
  expect((await app.rest("POST", "/v1/quote/download", { body: { token: "nothing" } })).status).toBe(404);
  const acceptAs = (acceptance: object | null) => app.call(`acceptQuote ${all}`, { token, acceptance });
  for (const nobody of [{ ...ada, role: " " }, { ...ada, name: "" }, { name: "Ada Bell" }, null])
    await expect(acceptAs(nobody)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  expect((await read()).state).toBe("OPEN");
  expect(await acceptAs({ ...ada, purchaseOrder: "PO-5" })).toMatchObject({
    state: "ACCEPTED",
    acceptedBy: "Ada Bell, Finance Manager",
    purchaseOrder: "PO-5",
    balanceCents: 110_000,
    bank: { bsb: "000-000" },
  });
  expect(await em().findOneOrFail(TaxInvoice, { user: user.id })).toMatchObject({ purchaseOrder: "PO-5" });
  const entry = (await listAuditEntries(app, draft.id)).find(({ action }) => action === "accept-quote");
  expect(entry?.after).toMatchObject({ acceptedBy: "Ada Bell, Finance Manager" });
});

test("refuses an unknown link, an expired quote, and a quote whose draft was changed", async () => {
  await expect(accept("nothing")).rejects.toMatchObject({ code: "NOT_FOUND" });
  const expired = await createQuote();
  app.clock.setOffset(32 * DAY);
  await expect(accept(expired.token)).rejects.toMatchObject({ code: "CONFLICT" });
  app.clock.setOffset(0);
  const changed = await createQuote();
  const change = { id: changed.draft.id, input: buildInvoice({ purchaseOrder: "PO-1" }), revision: 1 };
  await app.call("updateInvoice { id }", change, finance);
  await expect(accept(changed.token)).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await em().findOneOrFail(ManualInvoice, changed.draft.id)).status).toBe("draft");
});

test("shows the due date of the draft until it has passed, because accepting the quote replaces it then", async () => {
  const user = await createCorporateUser(app);
  const draft = await createDraftInvoice(app, user, { dueDay: addDays(getCalendarDay(app.clock.now()), 1) });
  await send(draft);
  const token = await findEmailedSecret(app, user.email);
  const { dueAt } = await em().findOneOrFail(ManualInvoice, draft.id);
  expect(await app.call("quote { dueAt }", { token })).toEqual({ dueAt: dueAt?.toISOString() });
  app.clock.setOffset(3 * DAY);
  expect(await app.call("quote { dueAt }", { token })).toEqual({ dueAt: null });
  app.clock.setOffset(0);
});

test("sends a draft again for the same day after the GST changed, so that the customer can accept it", async () => {
  const { user, draft, token } = await createQuote();
  await em().nativeUpdate(User, { id: user.id }, { country: "New Zealand" });
  await expect(accept(token)).rejects.toMatchObject({ code: "CONFLICT" });
  await send(draft);
  const replaced = await show(token);
  const next = await findEmailedSecret(app, user.email);
  expect([replaced.state, await accept(next)]).toMatchObject(["WITHDRAWN", { state: "ACCEPTED", totalCents: 100_000 }]);
  // The invoice of the newer quote isn't that of the replaced one.
  expect(await show(token)).toMatchObject({ state: "WITHDRAWN", invoiceNumber: null });
});

test("refuses the quote of an archived account with a text for the customer", async () => {
  const { user, token } = await createQuote();
  await em().nativeUpdate(User, { id: user.id }, { archivedAt: app.clock.now() });
  await expect(accept(token)).rejects.toThrow("This account was closed. Contact us for a new quote.");
});

test("issues nothing for a licence that has ended since the draft, and tells staff and the customer what to do", async () => {
  const user = await createCorporateUser(app);
  const licence = { productLevel: 16, numberOfUsers: 5, numberOfMachines: 10, until: getCalendarDay(app.clock.now()) };
  const draft = await createDraftInvoice(app, user, { licence });
  await send(draft);
  const token = await findEmailedSecret(app, user.email);
  app.clock.setOffset(DAY);
  const forStaff = { message: "The licence would have ended already. Choose a later end.", code: "CONFLICT" };
  const forCustomer = "The licence of this quote would have ended already. Contact us for a new quote.";
  try {
    await expect(accept(token)).rejects.toMatchObject({ message: forCustomer, code: "CONFLICT" });
    await expect(issueInvoice(app.context(), draft.id, draft.revision)).rejects.toMatchObject(forStaff);
    await expect(sendQuote(app.context(), draft.id, draft.revision, validUntil)).rejects.toMatchObject(forStaff);
  } finally {
    app.clock.setOffset(0);
  }
  expect((await em().findOneOrFail(ManualInvoice, draft.id)).status).toBe("draft");
});

test("refuses to quote an issued invoice, reports it to the customer who accepts, and refuses that once it is cancelled", async () => {
  const { draft, token } = await createQuote();
  const invoice = await issue(draft);
  await expect(send(draft)).rejects.toMatchObject({ code: "CONFLICT" });
  // Its page asks for no other order number.
  expect(await show(token)).toMatchObject({ state: "OPEN", invoiceNumber: invoice.number });
  const withOtherOrder = { token, acceptance: { ...ada, purchaseOrder: "PO-5" } };
  const refusal = `Invoice ${invoice.number} of this quote was issued already, so its purchase order number can't change. Accept the quote without one, or contact us.`;
  const refused = { message: refusal, code: "CONFLICT" };
  await expect(app.call(`acceptQuote ${fields}`, withOtherOrder)).rejects.toMatchObject(refused);
  expect(await accept(token)).toMatchObject({ state: "ACCEPTED", invoiceNumber: invoice.number });
  await cancel(invoice);
  const shown = await app.call("quote { state invoiceNumber acceptedAt acceptedBy }", { token });
  const accepted = { invoiceNumber: invoice.number, acceptedBy: "Ada Bell, Finance Manager" };
  expect(shown).toEqual({ state: "CANCELLED", acceptedAt: expect.any(String), ...accepted });
  const message = "The invoice of this quote was cancelled. Contact us for a new quote.";
  await expect(accept(token)).rejects.toMatchObject({ message, code: "CONFLICT" });
});
