import { extractText, getDocumentProxy } from "unpdf";
import { expect, test } from "vitest";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { emailTaxInvoice } from "#api/billing/invoices/email-tax-invoice.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { DAY, addMilliseconds } from "#api/platform/clock.ts";
import { buildProfile, deleteAccount } from "#tests/factories/account.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { createSubscriber, loadSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createInvoiceRequests } from "./request-invoices.ts";

const app = await startTestApp();
const list = (token: string) => app.rest("GET", "/v1/taxInvoice", { token });

const download = (id: string, token: string, from = "/v1/taxInvoice") =>
  app.rest("GET", `${from}/${id}/download`, { token });

/** PDF.js refuses a buffer of Node.js. */
const extractPdfText = async (bytes: Buffer): Promise<string> =>
  (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })).text;

test("GET /v1/taxInvoice lists the caller's own invoices and notes, newest first, in cents and ISO 8601", async () => {
  const { user, token } = await createSignedIn(app);
  expect((await list(token)).json).toEqual([]);
  await createTaxInvoice(app, await createUser(app));
  const earlier = addMilliseconds(app.clock.now(), -DAY);
  const old = await createTaxInvoice(app, user, { issuedAt: earlier });
  const refunded = { invoiceId: old.id, refundedCents: 1_000, refundedAt: app.clock.now() };
  const note = await issueAdjustmentNote(app.context(), app.context().em, refunded);
  const { status, json } = await list(token);
  expect(status).toBe(200);
  const toRow = ({ id, issuedAt, number, description }: typeof old, amount: number) => {
    return { id, date: issuedAt.toISOString(), invoiceNumber: number, description, amount };
  };
  expect(json).toEqual([toRow(note, -1_000), toRow(old, 16_495)]);
  expect(old.issuedAt).toEqual(earlier);
  const amounts = { amountCents: 14_995, gstCents: 1_500, totalCents: 16_495, currency: "AUD" };
  const document = "taxInvoices { number kind issuedAt amountCents gstCents totalCents currency }";
  expect(await app.call(document, {}, token)).toMatchObject([
    { number: note.number, kind: "ADJUSTMENT", totalCents: -1_000 },
    { number: old.number, kind: "INVOICE", ...amounts },
  ]);
});

test("customers and staff download the PDF, named after the invoice number", async () => {
  const user = await createUser(app);
  const invoice = await createTaxInvoice(app, user);
  const staff = await signInAs(app, await createAdmin(app));
  const own = await signInAs(app, user);
  for (const [token, from] of Object.entries({ [own]: "/v1/taxInvoice", [staff]: "/v1/admin/taxInvoice" })) {
    const { status, headers, bytes } = await download(invoice.id, token, from);
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="Invoice-${invoice.number}.pdf"`);
    expect([headers.get("cache-control"), bytes.subarray(0, 5).toString()]).toEqual(["no-store", "%PDF-"]);
    expect(await extractPdfText(bytes)).toContain(`Invoice number\n${invoice.number}`);
  }
  for (const id of ["00000000-0000-4000-8000-000000000000", "100001"])
    expect((await download(id, staff, "/v1/admin/taxInvoice")).status).toBe(404);
});

const place = { city: "Cairns", state: "QLD", postCode: "4870", country: "Australia" };
const address = { streetNumber: "1", streetName: "Queen Street", ...place };
const update = (input: object, token: string) =>
  app.call("updateInvoiceDetails { companyName abn city fullAddress position }", { input }, token);

test("updateInvoiceDetails changes future invoices only, and no other profile fields", async () => {
  const { user, token } = await createSignedIn(app);
  const before = await createTaxInvoice(app, user);
  const details = await update({ ...address, companyName: "New Name Pty Ltd", abn: "53004085616" }, token);
  const buyer = { companyName: "New Name Pty Ltd", abn: "53 004 085 616", city: "Cairns" };
  expect(details).toEqual({ ...buyer, fullAddress: "", position: "Planner" });
  const after = await createTaxInvoice(app, user);
  expect(after.buyer).toMatchObject({ name: "New Name Pty Ltd", abn: "53 004 085 616" });
  expect(await extractPdfText((await download(before.id, token)).bytes)).toContain("Analytical Planning");
  const expected = "New Name Pty Ltd\nABN 53 004 085 616";
  expect(await extractPdfText((await download(after.id, token)).bytes)).toContain(expected);
});

test("updateInvoiceDetails clears the company and ABN if they are omitted, and returns the rules' messages by field", async () => {
  const token = await signInAs(app, await createUser(app, { abn: "53 004 085 616" }));
  expect(await update(address, token)).toMatchObject({ companyName: "", abn: "" });
  await expect(update({ ...address, abn: "12", postCode: "99" }, token)).rejects.toMatchObject({
    fields: { abn: ["Invalid Australian business number format."], postCode: ["Invalid Australian post code."] },
  });
});

test("updateInvoiceDetails changes the GST of later payments when the country changes", async () => {
  const { user, token } = await createSubscriber(app);
  await update({ ...address, state: "Otago", postCode: "9016", country: "New Zealand" }, token);
  await app.services.jobs.drain();
  expect((await loadSubscription(app, user.id)).subscription.gstBasisPoints).toBe(0);
});

test("updateInvoiceDetails, also of a corporate customer, keeps the ABN when the profile is updated", async () => {
  const token = await signInAs(app, await createCorporateUser(app));
  await update({ ...address, abn: "53 004 085 616" }, token);
  const { email } = await app.call("me { email }", {}, token);
  await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body: buildProfile({ email }) });
  expect(await app.call("me { abn }", {}, token)).toEqual({ abn: "53 004 085 616" });
});

test("emails a tax invoice once with its PDF, and an adjustment note, but nothing to a deleted account", async () => {
  const user = await createUser(app);
  const invoice = await createTaxInvoice(app, user);
  const { em } = app.context();
  expect(await emailTaxInvoice(app.context(), em, invoice)).toBe(true);
  expect(await emailTaxInvoice(app.context(), em, invoice)).toBe(false);
  const [mail, ...others] = await listEmailsTo(app, user.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe(`Your tax invoice ${invoice.number} from Planvarro Software`);
  expect(mail?.text).toContain("A$164.95");

  const [attachment] = (await app.rest("GET", `/dev/mail.json?to=${user.email}`)).json[0].attachments;
  expect(attachment).toEqual({ filename: `Invoice-${invoice.number}.pdf`, url: `/dev/mail/${mail?.id}/attachment` });
  const file = await app.rest("GET", attachment.url);
  expect(file.headers.get("content-type")).toBe("application/pdf");
  expect(await extractPdfText(file.bytes)).toContain(invoice.number);
  expect((await app.rest("GET", `/dev/mail?to=${user.email}`)).text).toContain(`Invoice-${invoice.number}.pdf</a>`);

  const refunded = { invoiceId: invoice.id, refundedCents: 16_495, refundedAt: app.clock.now() };
  const note = await issueAdjustmentNote(app.context(), em, refunded);
  await emailTaxInvoice(app.context(), em, note);
  const [second] = await listEmailsTo(app, user.email);
  expect(second?.subject).toBe(`Your adjustment note ${note.number} from Planvarro Software`);
  expect(second?.text).toContain("−A$164.95");
  const gone = await createTaxInvoice(app, await createUser(app, { deletedAt: app.clock.now() }));
  expect(await emailTaxInvoice(app.context(), em, gone)).toBe(false);
});

test("a payment that arrives after the account was deleted is recorded, without a licence or an email", async () => {
  const user = await createUser(app);
  const until = addDays(getCalendarDay(app.clock.now()), 365);
  const licence = { licenceId: undefined, productLevel: 14, numberOfUsers: 1, numberOfMachines: 1, until };
  const { id: invoiceId } = await createOpenInvoice(app, user, { licence });
  await deleteAccount(app, await signInAs(app, user));
  const emails = await listEmailsTo(app, user.email);
  const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const { pay, send } = createInvoiceRequests(app, finance);
  const preview = await send("paymentPreview { isErased }", { invoiceId, amountCents: 110_000 });
  expect(preview).toEqual({ isErased: true });
  const { invoice } = await pay({ id: invoiceId, balanceCents: 110_000 });
  expect(invoice).toMatchObject({ status: "PAID", balanceCents: 0, licenceId: null });
  expect(await listEmailsTo(app, user.email)).toHaveLength(emails.length);
});

test("pays for a new licence if the chosen one has another level, which a resumed subscription sets", async () => {
  const { user, token, licence } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const { open, pay } = createInvoiceRequests(app, finance);
  await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token });
  const until = addDays(getCalendarDay(app.clock.now()), 365);
  const terms = { licenceId: licence.id, productLevel: "PROFESSIONAL", numberOfUsers: 1, numberOfMachines: 1, until };
  const invoice = await open(user, { licence: terms });
  await app.rest("PATCH", "/v1/subscriptions/resume-subscription", { token });
  const { licenceId } = (await pay(invoice)).invoice;
  expect(licenceId).not.toBe(licence.id);
  expect(await app.services.orm.em.fork().findOneOrFail(Licence, licenceId)).toMatchObject({ productLevel: 2 });
  expect((await loadSubscription(app, user.id)).licence.productLevel).toBe(1);
});
