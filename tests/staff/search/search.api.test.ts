import { beforeAll, describe, expect, test } from "vitest";
import { createContact } from "#tests/factories/contact.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createRevokedLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

interface Hit {
  id: string;
  kind: string;
  label: string;
  subLabel: string;
  userId: string;
  licenceId: string | null;
  isPast: boolean;
  isExact: boolean;
}

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
let invoice: { id: string; number: string };

beforeAll(async () => {
  invoice = await createTaxInvoice(app, ada);
});

const query = `query ($text: String!) { search(text: $text) {
  hits { id kind label subLabel userId licenceId isPast isExact } hint } }`;

async function search(text: string): Promise<{ hits: Hit[]; hint: string | null }> {
  const { data, errors } = await app.graphql(query, { text }, admin);
  expect(errors).toBeUndefined();
  return data.search;
}

const first = async (text: string) => (await search(text)).hits[0];

describe("the search of everything finds", () => {
  test("a licence by its code, however it is typed, without repeating the code", async () => {
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

  test("a licence by its support code, one that is over marked so", async () => {
    const { supportCode, id } = await createRevokedLicence(app, ada);
    expect(await first(supportCode.toLowerCase().replace("-", " "))).toMatchObject({
      id,
      kind: "LICENCE",
      subLabel: expect.stringContaining("deactivated"),
      isPast: true,
    });
  });

  test("a device by its machine name or the beginning of it, in any case, active ones first", async () => {
    const freed = await createDevice(app, licence, { machineName: "BNE-PLAN-00", freedAt: app.clock.now() });
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
      [freed.id, true],
    ]);
  });

  test("a user by email, whole or its beginning, in any case", async () => {
    expect(await first("ZAIDA.L@northern-tunnels.example")).toMatchObject({ id: ada.id, kind: "USER", isExact: true });
    expect(await first("zaida.l@nor")).toMatchObject({ id: ada.id, kind: "USER", isExact: false });
  });

  test("an invoice and its adjustment note by number, in the ways people write it", async () => {
    for (const typed of [
      invoice.number,
      `#${invoice.number}`,
      `Invoice-${invoice.number}.pdf`,
      `invoice ${invoice.number}`,
    ])
      expect(await first(typed)).toMatchObject({
        id: invoice.id,
        kind: "INVOICE",
        label: `Tax invoice ${invoice.number}`,
        subLabel: expect.stringMatching(/^A\$[\d.,]+ · Zaida Lövgren/),
        isExact: true,
      });
    const note = await createAdjustmentNote();
    for (const typed of [note.number, note.number.toLowerCase(), note.number.replace("-", " ")])
      expect(await first(typed)).toMatchObject({ id: note.id, label: `Adjustment note ${note.number}`, isExact: true });
  });

  test("a user by ABN, with spaces and without", async () => {
    for (const typed of ["51 824 753 556", "51824753556", "51-824-753-556"])
      expect(await first(typed)).toMatchObject({ id: ada.id, kind: "USER", isExact: true });
  });

  test("a user by company and by name", async () => {
    for (const typed of ["Northern Tunnels", "tunnels", "zaida lövgren", "lövg"])
      expect((await search(typed)).hits.map(({ kind, id }) => [kind, id])).toContainEqual(["USER", ada.id]);
  });

  test("a contact by name, last name and email, and leads to the customer", async () => {
    for (const typed of ["wilhelmina q", "Quist", "accounts@northern-tun"])
      expect((await search(typed)).hits.find(({ kind }) => kind === "CONTACT")).toMatchObject({
        id: contact.id,
        label: "Wilhelmina Quist",
        subLabel: expect.stringContaining("contact of Zaida Lövgren"),
        userId: ada.id,
      });
  });
});

async function createAdjustmentNote(): Promise<{ id: string; number: string }> {
  const { rows } = await app.services.pool.query<{ id: string; number: string }>(
    `insert into tax_invoices select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', 'A-100777',
       'kind', 'adjustment', 'provider_invoice_id', null, 'adjusts_id', t.id))).* from tax_invoices t where t.id = $1
     returning id, number`,
    [invoice.id],
  );
  return rows[0] as { id: string; number: string };
}

describe("the search of everything", () => {
  test("gives exact matches first, each thing once and at most eight of a kind", async () => {
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

  test("says why a mistyped code or number finds nothing", async () => {
    const last = licence.licenceCode.at(-1) === "2" ? "3" : "2";
    const mistyped = licence.licenceCode.slice(0, -1) + last;
    expect(await search(mistyped)).toEqual({ hits: [], hint: expect.stringContaining("looks like a licence code") });
    const support = licence.supportCode.slice(0, -1) + (licence.supportCode.endsWith("2") ? "3" : "2");
    expect(await search(support)).toEqual({ hits: [], hint: expect.stringContaining("looks like a support code") });
    expect(await search("51 824 753 557")).toEqual({ hits: [], hint: expect.stringContaining("looks like an ABN") });
    expect(await search("nobody at all")).toEqual({ hits: [], hint: null });
  });

  test("takes every character as it stands: nothing is a pattern", async () => {
    for (const typed of ["%", "_%", "bne%", "b_e-plan", "\\", "'; drop table users; --", "(((", "*", "\\m\\", "%@%"])
      expect((await search(typed)).hits, typed).toEqual([]);
  });

  test("looks for nothing below two characters, and refuses what can't be text", async () => {
    expect(await search(" z ")).toEqual({ hits: [], hint: null });
    expect(await search("")).toEqual({ hits: [], hint: null });
    for (const typed of ["a\u0000b", "x".repeat(201), "a\nb"]) {
      const { errors } = await app.graphql(query, { text: typed }, admin);
      expect(errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
    }
    expect((await search("日本")).hits).toEqual([]);
  });
});
