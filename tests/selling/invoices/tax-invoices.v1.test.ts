import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { issueAdjustmentNote } from "#api/selling/invoices/issue-adjustment-note.ts";
import { emailTaxInvoice } from "#api/selling/invoices/email-tax-invoice.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createAdmin, createCorporateUser, createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const list = (token: string) => app.rest("GET", "/v1/taxInvoice", { token });

async function download(id: string, token: string) {
  const response = await fetch(`${app.url}/v1/taxInvoice/${id}/download`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

async function extractPdfText(bytes: Uint8Array): Promise<string> {
  return (await extractText(await getDocumentProxy(bytes), { mergePages: true })).text;
}

describe("GET /v1/taxInvoice", () => {
  test("lists the caller's own invoices and notes, newest first, in cents and ISO 8601", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    expect((await list(token)).json).toEqual([]);
    await createTaxInvoice(app, await createUser(app));
    const earlier = addMilliseconds(app.clock.now(), -DAY);
    const old = await createTaxInvoice(app, user, { issuedAt: earlier });
    const note = await issueAdjustmentNote(app.context(), app.context().em, {
      invoiceId: old.id,
      refundedCents: 1_000,
      refundedAt: app.clock.now(),
    });
    const { status, json } = await list(token);
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        id: note.id,
        date: note.issuedAt.toISOString(),
        invoiceNumber: note.number,
        description: note.description,
        amount: -1_000,
      },
      {
        id: old.id,
        date: earlier.toISOString(),
        invoiceNumber: old.number,
        description: old.description,
        amount: 16_495,
      },
    ]);
    const { data } = await app.graphql(
      "{ taxInvoices { number kind issuedAt amountCents gstCents totalCents currency } }",
      {},
      token,
    );
    expect(data.taxInvoices).toMatchObject([
      { number: note.number, kind: "adjustment", totalCents: -1_000 },
      {
        number: old.number,
        kind: "invoice",
        amountCents: 14_995,
        gstCents: 1_500,
        totalCents: 16_495,
        currency: "AUD",
      },
    ]);
  });

  test("allows only regular customers to list and download invoices", async () => {
    expect((await app.rest("GET", "/v1/taxInvoice")).status).toBe(401);
    for (const user of [await createCorporateUser(app), await createAdmin(app)]) {
      const token = await signInAs(app, user);
      expect((await list(token)).status).toBe(403);
      expect((await download("anything", token)).status).toBe(403);
    }
  });
});

describe("GET /v1/taxInvoice/{id}/download", () => {
  test("returns the PDF, named after the invoice number", async () => {
    const user = await createUser(app);
    const invoice = await createTaxInvoice(app, user);
    const { status, headers, bytes } = await download(invoice.id, await signInAs(app, user));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toBe(`attachment; filename="Invoice-${invoice.number}.pdf"`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe("%PDF-");
    expect(await extractPdfText(bytes)).toContain(`Invoice number\n${invoice.number}`);
  });

  test("returns the same 404 for other customers' invoices, unknown ids and malformed ids", async () => {
    const foreign = await createTaxInvoice(app, await createUser(app));
    const token = await signInAs(app, await createUser(app));
    for (const id of [foreign.id, "00000000-0000-4000-8000-000000000000", "100001", "%00"]) {
      const { status, json } = await app.rest("GET", `/v1/taxInvoice/${id}/download`, { token });
      expect([status, json]).toEqual([404, "Sorry, we could not find what you asked for."]);
    }
  });
});

describe("GET /v1/admin/taxInvoice/{id}/download", () => {
  const downloadAsStaff = (id: string, token?: string) =>
    fetch(`${app.url}/v1/admin/taxInvoice/${id}/download`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });

  test("returns the PDF of any customer's invoice to staff", async () => {
    const invoice = await createTaxInvoice(app, await createUser(app));
    const response = await downloadAsStaff(invoice.id, await signInAs(app, await createAdmin(app)));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="Invoice-${invoice.number}.pdf"`);
    expect(await extractPdfText(new Uint8Array(await response.arrayBuffer()))).toContain(
      `Invoice number\n${invoice.number}`,
    );
  });

  test("refuses customers, including the owner of the invoice", async () => {
    const owner = await createUser(app);
    const invoice = await createTaxInvoice(app, owner);
    expect((await downloadAsStaff(invoice.id)).status).toBe(401);
    for (const user of [owner, await createUser(app), await createCorporateUser(app)])
      expect((await downloadAsStaff(invoice.id, await signInAs(app, user))).status).toBe(403);
  });

  test("returns 404 for unknown and malformed ids", async () => {
    const token = await signInAs(app, await createAdmin(app));
    for (const id of ["00000000-0000-4000-8000-000000000000", "100001"])
      expect((await downloadAsStaff(id, token)).status).toBe(404);
  });
});

describe("updateInvoiceDetails", () => {
  const address = {
    streetNumber: "1",
    streetName: "Queen Street",
    city: "Cairns",
    state: "QLD",
    postCode: "4870",
    country: "Australia",
  };
  const update = (input: object, token: string) =>
    app.graphql(
      "mutation ($input: InvoiceDetailsInput!) { updateInvoiceDetails(input: $input) { companyName abn city fullAddress position } }",
      { input },
      token,
    );

  test("changes future invoices only, and no other profile fields", async () => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const before = await createTaxInvoice(app, user);
    const { data } = await update({ ...address, companyName: "New Name Pty Ltd", abn: "53004085616" }, token);
    expect(data.updateInvoiceDetails).toEqual({
      companyName: "New Name Pty Ltd",
      abn: "53 004 085 616",
      city: "Cairns",
      fullAddress: "",
      position: "Planner",
    });
    const after = await createTaxInvoice(app, user);
    expect(after.buyer).toMatchObject({ name: "New Name Pty Ltd", abn: "53 004 085 616" });
    expect(await extractPdfText((await download(before.id, token)).bytes)).toContain("Analytical Planning");
    expect(await extractPdfText((await download(after.id, token)).bytes)).toContain(
      "New Name Pty Ltd\nABN 53 004 085 616",
    );
  });

  test("clears the company and ABN if they are omitted", async () => {
    const user = await createUser(app, { abn: "53 004 085 616" });
    const { data } = await update(address, await signInAs(app, user));
    expect(data.updateInvoiceDetails).toMatchObject({ companyName: "", abn: "" });
  });

  test.each([
    [{ abn: "53 004 085 617" }, { abn: ["Invalid Australian business number format."] }],
    [{ abn: "12" }, { abn: ["Invalid Australian business number format."] }],
    [{ postCode: "99" }, { postCode: ["Invalid Australian post code."] }],
    [
      { city: "", streetName: " " },
      { city: ["City is required."], streetName: ["Street name is required."] },
    ],
  ])("rejects %j with the specified message", async (changes, fields) => {
    const user = await createUser(app);
    const { errors } = await update({ ...address, ...changes }, await signInAs(app, user));
    expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_USER_INPUT", fields });
  });

  test("keeps the ABN when the profile is updated", async () => {
    const token = await signInAs(app, await createUser(app));
    await update({ ...address, abn: "53 004 085 616" }, token);
    const { password: _, confirmPassword: __, email: ___, ...profile } = buildRegistration();
    const { data } = await app.graphql("{ me { email } }", {}, token);
    await app.rest("PUT", "/v1/core/accounts/update-profile", { token, body: { ...profile, email: data.me.email } });
    expect((await app.graphql("{ me { abn } }", {}, token)).data.me.abn).toBe("53 004 085 616");
  });
});

describe("emailed tax invoice", () => {
  test("is sent once, with the PDF attached in the dev mailbox", async () => {
    const user = await createUser(app);
    const invoice = await createTaxInvoice(app, user);
    const { em } = app.context();
    expect(await emailTaxInvoice(app.context(), em, invoice)).toBe(true);
    expect(await emailTaxInvoice(app.context(), em, invoice)).toBe(false);
    const [mail, ...others] = await listEmailsTo(app, user.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`Your tax invoice ${invoice.number} from XER Solutions`);
    expect(mail?.text).toContain("A$164.95");

    const { json } = await app.rest("GET", `/dev/mail.json?to=${user.email}`);
    const [attachment] = json[0].attachments;
    expect(attachment).toEqual({ filename: `Invoice-${invoice.number}.pdf`, url: `/dev/mail/${mail?.id}/attachment` });
    const file = await fetch(app.url + attachment.url);
    expect(file.headers.get("content-type")).toBe("application/pdf");
    expect(await extractPdfText(new Uint8Array(await file.arrayBuffer()))).toContain(invoice.number);
    expect((await app.rest("GET", `/dev/mail?to=${user.email}`)).text).toContain(`Invoice-${invoice.number}.pdf</a>`);
  });

  test("is titled as an adjustment note for a refund", async () => {
    const user = await createUser(app);
    const invoice = await createTaxInvoice(app, user);
    const { em } = app.context();
    const note = await issueAdjustmentNote(app.context(), em, {
      invoiceId: invoice.id,
      refundedCents: 16_495,
      refundedAt: app.clock.now(),
    });
    await emailTaxInvoice(app.context(), em, note);
    const [mail] = await listEmailsTo(app, user.email);
    expect(mail?.subject).toBe(`Your adjustment note ${note.number} from XER Solutions`);
    expect(mail?.text).toContain("−A$164.95");
  });

  test("is not sent to a deleted account", async () => {
    const user = await createUser(app, { deletedAt: app.clock.now() });
    const invoice = await createTaxInvoice(app, user);
    expect(await emailTaxInvoice(app.context(), app.context().em, invoice)).toBe(false);
  });
});
