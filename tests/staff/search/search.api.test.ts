import { expect, test } from "vitest";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createRevokedLicence } from "#tests/factories/licence.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

type Hit = Record<"id" | "kind" | "label" | "subLabel" | "userId", string> & { isPast: boolean };

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app, { firstName: "Root", companyName: "Vendor" }));
const ada = await createCorporateUser(app, {
  firstName: "Zaida",
  lastName: "Lövgren",
  companyName: "Northern Tunnels Pty Ltd",
  email: "Zaida.L@northern-tunnels.example",
  abn: "51 824 753 556",
});
const licence = await createLicence(app, ada);
const device = await createDevice(app, licence, { machineName: "BNE-PLAN-007|planning.local" });
const contact = await createContact(app, ada, {
  firstName: "Wilhelmina",
  lastName: "Quist",
  email: "accounts@northern-tunnels.example",
});
const invoice = await createTaxInvoice(app, ada);

const search = (text: string): Promise<{ hits: Hit[]; hint: string | null }> =>
  app.call("search { hits { id kind label subLabel userId licenceId isPast isExact } hint }", { text }, admin);

const first = async (text: string) => (await search(text)).hits[0];

test("finds a licence by its code in any format, without returning the code", async () => {
  const code = licence.licenceCode;
  for (const typed of [code, ` ${code.toLowerCase()} `, code.replaceAll("-", ""), code.replaceAll("0", "o")]) {
    const { hits } = await search(typed);
    expect(hits).toEqual([
      {
        id: licence.id,
        kind: "LICENCE",
        label: licence.supportCode,
        subLabel: "Professional · active · Zaida Lövgren · Northern Tunnels Pty Ltd",
        userId: ada.id,
        licenceId: licence.id,
        isPast: false,
        isExact: true,
      },
    ]);
    expect(JSON.stringify(hits)).not.toContain(code.slice(0, 11));
  }
});

test("finds a licence by support code and marks a deactivated one as past", async () => {
  const { supportCode, id } = await createRevokedLicence(app, ada);
  expect(await first(supportCode.toLowerCase().replace("-", " "))).toMatchObject({
    id,
    kind: "LICENCE",
    subLabel: expect.stringContaining("deactivated"),
    isPast: true,
  });
});

test("finds devices by the start of the machine name, active devices first", async () => {
  const deactivated = await createDevice(app, licence, { machineName: "BNE-PLAN-00", freedAt: app.clock.now() });
  for (const typed of ["BNE-PLAN-007|planning.local", "bne-plan-007"])
    expect(await first(typed)).toMatchObject({
      id: device.id,
      kind: "DEVICE",
      label: "BNE-PLAN-007",
      userId: ada.id,
      licenceId: licence.id,
      isExact: true,
    });
  const { hits } = await search("bne-pl");
  expect(hits.map(({ id, isPast }) => [id, isPast])).toEqual([
    [device.id, false],
    [deactivated.id, true],
  ]);
});

test("finds invoices and adjustment notes by number in common formats", async () => {
  const { number } = invoice;
  for (const typed of [number, `#${number}`, `Invoice-${number}.pdf`, `invoice ${number}`])
    expect(await first(typed)).toMatchObject({
      id: invoice.id,
      kind: "INVOICE",
      label: `Tax invoice ${invoice.number}`,
      subLabel: expect.stringMatching(/^A\$[\d.,]+ · Zaida Lövgren/),
      isExact: true,
    });
  const sql = `insert into tax_invoices select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', 'A-100777',
       'kind', 'adjustment', 'provider_invoice_id', null, 'adjusts_id', t.id))).* from tax_invoices t where t.id = $1 returning id`;
  const { rows } = await app.services.pool.query(sql, [invoice.id]);
  const note = { id: rows[0].id, label: "Adjustment note A-100777", isExact: true };
  for (const typed of ["A-100777", "a-100777", "A 100777", "A–100777"]) expect(await first(typed)).toMatchObject(note);
});

test("finds a user by email address, ABN, company and name", async () => {
  for (const [typed, isExact] of [
    ["ZAIDA.L@northern-tunnels.example", true],
    ["zaida.l@nor", false],
    ["51 824 753 556", true],
    ["51824753556", true],
    ["51–824–753–556", true],
  ] as const)
    expect(await first(typed)).toMatchObject({ id: ada.id, kind: "USER", isExact });
  for (const typed of ["Northern Tunnels", "tunnels", "zaida lövgren", "lövg", "\ufefftun\u00adnels"])
    expect((await search(typed)).hits.map(({ kind, id }) => [kind, id])).toContainEqual(["USER", ada.id]);
});

test("finds a user by an address with an international domain, as typed or as stored", async () => {
  const { id } = await createUser(app, { email: "jo@xn--kln-sna.example" });
  for (const typed of ["jo@köln.example", "jo@xn--kln-sna.example"]) {
    expect(await first(typed)).toMatchObject({ id, kind: "USER", isExact: true });
    expect(await app.call("users { rows { id } }", { filter: { search: typed } }, admin)).toEqual({ rows: [{ id }] });
  }
});

test("finds a contact by full name, last name and email address", async () => {
  for (const typed of ["wilhelmina q", "Quist", "accounts@northern-tun"])
    expect((await search(typed)).hits.find(({ kind }) => kind === "CONTACT")).toMatchObject({
      id: contact.id,
      label: "Wilhelmina Quist",
      subLabel: expect.stringContaining("contact of Zaida Lövgren"),
      userId: ada.id,
    });
});

test("returns exact matches first, without duplicates and with at most eight of each kind", async () => {
  const other = await createUser(app, { companyName: "Overfull Ltd" });
  const many = await createLicence(app, other, { numberOfMachines: 20 });
  for (let n = 10; n < 22; n++) await createDevice(app, many, { machineName: `OVERFULL-${n}` });
  for (let n = 0; n < 10; n++) await createUser(app, { companyName: "Overfull Ltd" });
  const exact = await createDevice(app, many, { machineName: "OVERFULL" });
  const { hits } = await search("overfull");
  expect(hits[0]).toMatchObject({ id: exact.id, isExact: true });
  expect(hits.filter(({ kind }) => kind === "DEVICE")).toHaveLength(8);
  expect(hits.filter(({ kind }) => kind === "USER")).toHaveLength(8);
  expect(new Set(hits.map(({ kind, id }) => kind + id)).size).toBe(hits.length);
});

test("returns a hint for a mistyped code or number", async () => {
  const last = licence.licenceCode.at(-1) === "2" ? "3" : "2";
  const mistyped = licence.licenceCode.slice(0, -1) + last;
  expect(await search(mistyped)).toEqual({ hits: [], hint: expect.stringContaining("looks like a licence code") });
  const support = licence.supportCode.slice(0, -1) + (licence.supportCode.endsWith("2") ? "3" : "2");
  expect(await search(support)).toEqual({ hits: [], hint: expect.stringContaining("looks like a support code") });
  expect(await search("51 824 753 557")).toEqual({ hits: [], hint: expect.stringContaining("looks like an ABN") });
  expect(await search("nobody at all")).toEqual({ hits: [], hint: null });
});

test("treats pattern characters literally", async () => {
  for (const typed of ["%", "_%", "bne%", "b_e-plan", "\\", "'; drop table users; --", "(((", "*", "\\m\\", "%@%"])
    expect((await search(typed)).hits, typed).toEqual([]);
});

test("ignores text shorter than two characters and rejects invalid text", async () => {
  for (const text of [" z ", ""]) expect(await search(text)).toEqual({ hits: [], hint: null });
  for (const typed of ["a\u0000b", "x".repeat(201), "a\nb"])
    await expect(search(typed)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  expect((await search("日本")).hits).toEqual([]);
});

const fields = "{ id kind label subLabel isPast isExact }";
const searchCatalogue = (text: string) =>
  app.call(`search { promoCodeHits ${fields} buildHits ${fields} }`, { text }, admin);

test("finds a promo code by its start in any case, the whole code first", async () => {
  const longer = await createPromoCode(app, { code: "Zebra20" });
  const exact = await createPromoCode(app, { code: "ZEBRA", expiresAt: new Date("2020-01-01") });
  await createPromoCode(app, { code: "Zebra-gone", archivedAt: app.clock.now() });
  expect((await searchCatalogue(" zebra ")).promoCodeHits).toEqual([
    { id: exact.id, kind: "PROMO_CODE", label: "ZEBRA", subLabel: "10% off · expired", isPast: true, isExact: true },
    { id: longer.id, kind: "PROMO_CODE", label: "Zebra20", subLabel: "10% off", isPast: false, isExact: false },
  ]);
  expect((await searchCatalogue("ze%a")).promoCodeHits).toEqual([]);
});

test("finds builds by the start of their version or file name, newest first", async () => {
  const older = await publishTestBuild(app, "71.9.0");
  const newer = await publishTestBuild(app, "71.10.0", { stage: 3 });
  expect((await searchCatalogue("v71.")).buildHits.map(({ id }: { id: string }) => id)).toEqual([newer.id, older.id]);
  expect((await searchCatalogue("\u202a71.９.0\u202c")).buildHits).toEqual([
    expect.objectContaining({ kind: "SOFTWARE_BUILD", label: "71.9.0 Production", isExact: true, isPast: false }),
  ]);
  expect((await searchCatalogue("planvarro-setup-71.10")).buildHits).toHaveLength(1);
});
