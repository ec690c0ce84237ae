import { extractText, getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { expect, test } from "vitest";
import { renderTaxInvoicePdf } from "#api/billing/invoices/render-invoice-pdf.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";

const paid = new Date("2026-09-21T03:00:00Z");
const values: Partial<TaxInvoice> = {
  kind: "invoice",
  number: "100003",
  issuedAt: paid,
  paidAt: paid,
  cardLast4: "4242",
  description: "Professional, yearly subscription",
  periodStart: paid,
  periodEnd: new Date("2027-09-21T03:00:00Z"),
  lines: [{ description: "Professional, yearly subscription", amountCents: 142_400 }],
  amountCents: 142_400,
  discountCents: 14_240,
  gstCents: 12_816,
  gstBasisPoints: 1_000,
  totalCents: 140_976,
  seller: {
    name: "Planvarro Sample Pty Ltd",
    contact: null,
    abn: "89 000 000 019",
    address: ["1 Sample Street", "Brisbane QLD 4000"],
    email: "sales@planvarro.example",
  },
  buyer: {
    name: "Analytical Planning",
    contact: "Ada Byron",
    abn: "53 004 085 616",
    address: ["Unit 4, 12 Eagle Street", "Brisbane QLD 4000", "Australia"],
    email: null,
  },
};
const createInvoice = (changes: Partial<TaxInvoice> = {}) => Object.assign(new TaxInvoice(), values, changes);

async function read(invoice: TaxInvoice, paidCents = 0) {
  const pdf = await getDocumentProxy(new Uint8Array(await renderTaxInvoicePdf(invoice, paidCents)));
  const { text, totalPages } = await extractText(pdf, { mergePages: true });
  return { text, totalPages, info: await pdf.getMetadata(), mark: await pdf.getMarkInfo(), pdf };
}

/** Counts the placeholder boxes (glyph 0 of a typeface) on the first page. */
async function countMissingGlyphs(pdf: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<number> {
  const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  const drawn = argsArray.filter((_, at) => fnArray[at] === OPS.showText);
  expect(drawn.length).toBeGreaterThan(10);
  return drawn.flat(2).filter((glyph) => typeof glyph === "object" && glyph.originalCharCode === 0).length;
}

test("includes all details that a tax invoice requires, with dates in the vendor's time zone", async () => {
  const { text, totalPages } = await read(createInvoice({ issuedAt: new Date("2026-09-21T15:00:00Z") }));
  expect(totalPages).toBe(1);
  for (const words of [
    "Tax invoice\n",
    "Invoice number\n100003",
    "Issue date\n22/09/2026",
    "Paid date\n21/09/2026",
    "Planvarro Sample Pty Ltd\nABN 89 000 000 019\n1 Sample Street",
    "Analytical Planning\nABN 53 004 085 616\nAda Byron\nUnit 4, 12 Eagle Street\nBrisbane QLD 4000\nAustralia",
    "Professional, yearly subscription $1,424.00",
    "Period: 21/09/2026 to 20/09/2027",
    "Subtotal, without GST $1,424.00",
    "Discount −$142.40",
    "Subtotal after discount $1,281.60",
    "GST 10 % $128.16",
    "Total (AUD) $1,409.76",
    "Paid by card ending 4242 on 21/09/2026",
  ])
    expect(text).toContain(words);
});

test("omits fields without a value", async () => {
  const buyer = { ...(values.buyer as TaxInvoice["buyer"]), abn: null, contact: null };
  const sums = { discountCents: 0, gstBasisPoints: 0, gstCents: 0, amountCents: 142_400, totalCents: 142_400 };
  const { text } = await read(createInvoice({ ...sums, buyer, cardLast4: null, periodStart: null, periodEnd: null }));
  expect(text).not.toMatch(/Discount|Period|null|undefined|NaN|card/);
  expect(text).toContain("GST 0 % (outside Australia) $0.00");
  expect(text.match(/ABN/g)).toHaveLength(1);
  expect(text).toContain("Paid on 21/09/2026");
});

test("calls an amount that a card can't pay added to the next payment, unless it was invoiced by hand", async () => {
  const sums = { amountCents: 20, discountCents: 0, gstCents: 2, totalCents: 22 };
  const { text } = await read(createInvoice(sums));
  for (const words of ["Paid date\nNot yet paid", "Added to the next payment"]) expect(text).toContain(words);
  expect(text).not.toContain("Paid by");
  expect((await read(createInvoice({ ...sums, dueAt: paid, cardLast4: null }))).text).toContain("Paid on 21/09/2026");
});

test("shows what was paid before an invoice was re-issued, and the rest as due", async () => {
  const { text } = await read(createInvoice({ paidAt: null, dueAt: paid, creditCents: 20_000 }), 30_000);
  for (const words of ["Credit applied −$200.00", "Already paid −$300.00", "Amount due (AUD) $909.76"])
    expect(text).toContain(words);
});

test("separates the thousands of a quantity", async () => {
  const lines = [{ description: "Seats", quantity: 1_200, unitCents: 100, amountCents: 120_000 }];
  expect((await read(createInvoice({ lines }))).text).toContain("Seats (1,200 × $1.00)");
});

test("shows a period within a day as this day", async () => {
  const periodEnd = new Date("2026-09-21T09:00:00Z");
  expect((await read(createInvoice({ periodEnd }))).text).toContain("Period: 21/09/2026 to 21/09/2026");
});

test("tags the document and sets a title for screen readers", async () => {
  const { info, mark, pdf } = await read(createInvoice());
  expect([mark?.Marked, (info.info as { Title: string }).Title]).toEqual([true, "Tax invoice 100003"]);
  const tree = JSON.stringify(await (await pdf.getPage(1)).getStructTree());
  for (const role of ["H1", "H2", "Table", "TR", "TH", "TD"]) expect(tree).toContain(`"role":"${role}"`);
});

test("produces the same file every time, with one typeface", async () => {
  const [one, other] = [await renderTaxInvoicePdf(createInvoice()), await renderTaxInvoicePdf(createInvoice())];
  const undated = (pdf: Buffer) => pdf.toString("latin1").replace(/\/ID \[[^\]]*\]/, "");
  expect(undated(one)).toBe(undated(other));
  expect(one.toString("latin1")).not.toContain("Helvetica");
});

test("wraps long names and continues on further pages", async () => {
  const toText = (n: number) => `Line ${n + 1}: ${"unused time ".repeat(12)}`;
  const lines = Array.from({ length: 40 }, (_, n) => ({ description: toText(n), amountCents: 100 }));
  const buyer = { ...(values.buyer as TaxInvoice["buyer"]), name: "Donaudampfschifffahrt".repeat(12) };
  const sums = { amountCents: 4_000, discountCents: 0, gstCents: 400, totalCents: 4_400 };
  const { text, totalPages } = await read(createInvoice({ lines, buyer, ...sums }));
  expect(totalPages).toBeGreaterThan(2);
  for (const [n] of lines.entries()) expect(text).toContain(`Line ${n + 1}:`);
  expect(text.match(/Amount \(AUD\)/g)).toHaveLength(totalPages);
  for (const one of [`page ${totalPages} of ${totalPages}`, "Total (AUD) $44.00"]) expect(text).toContain(one);
});

test("never puts the headers of the lines on a page without a line", async () => {
  const address = Array.from({ length: 3 }, () => "W".repeat(130));
  const buyer = { ...(values.buyer as TaxInvoice["buyer"]), name: "W".repeat(100), address };
  for (const purchaseOrder of ["PO 1", "W".repeat(60), "W".repeat(100)]) {
    const { pdf } = await read(createInvoice({ buyer, purchaseOrder }));
    const { text: pages } = await extractText(pdf, { mergePages: false });
    for (const page of pages)
      expect(/Amount \(AUD\)|Description/.test(page)).toBe(page.includes("yearly subscription"));
  }
});

test("draws names in every script, and breaks a long Japanese name into lines within its column", async () => {
  const names = [
    "Łukasz Żółć Őrség Șerban Ģirts",
    "Nguyễn Thị Ước Đặng",
    "Nguyễn Thị Ước".normalize("NFD"),
    "Παπαδόπουλος Ανώνυμη Εταιρεία",
    "Щербаков и Їжакевич ООО",
    "東京建設株式会社 髙橋カタカナ",
    "北京软件开发有限公司",
    "臺灣建設股份有限公司",
    "한국건설 주식회사",
    "Łódź 東京 Щербаков 한국 软件 Ελλάδα",
  ];
  const lines = names.map((description) => ({ description, amountCents: 14_240 }));
  const name = "東京建設株式会社".repeat(12);
  const buyer = { ...(values.buyer as TaxInvoice["buyer"]), name, address: names };
  const { text, pdf } = await read(createInvoice({ buyer, lines }));
  for (const one of names) expect(text.split(one.normalize("NFC")).length, one).toBeGreaterThanOrEqual(3);
  expect(text.replaceAll("\n", "")).toContain(name);
  expect(text).not.toContain("東京建設株式会社".repeat(4));
  expect(text).not.toContain("Question marks");
  expect(await countMissingGlyphs(pdf)).toBe(0);
});

test("draws names of right-to-left, Indic and other scripts, and the words of right-to-left names from right to left", async () => {
  const names = ["สมชาย ใจดี", "გიორგი ბერიძე", "Հայկ Սարգսյան", "अर्जुन शर्मा", "அருண் குமார்", "አበበ በቂላ", "ភ្នំពេញ"];
  const address = [...names, "שלום כהן", "12 محمد (العربي) 34"];
  const { text, pdf } = await read(createInvoice({ buyer: { ...(values.buyer as TaxInvoice["buyer"]), address } }));
  for (const word of names.slice(0, 3).flatMap((name) => name.split(" "))) expect(text).toContain(word);
  expect(await countMissingGlyphs(pdf)).toBe(0);
  expect(text).not.toContain("Question marks");
  const { items } = await (await pdf.getPage(1)).getTextContent();
  const findX = (part: string) =>
    items.flatMap((one) =>
      "str" in one && one.str.normalize("NFKC").includes(part) ? [Number(one.transform[4])] : [],
    )[0] ?? Number.NaN;
  expect(findX("כהן")).toBeLessThan(findX("שלום"));
  expect(findX("12 34 (")).toBeLessThan(findX(")"));
});

test("explains unsupported characters and keeps the full text for screen readers", async () => {
  const names = { name: "\u{12000}\u{13000} ＡＢＣ", contact: "Łukasz Żółć" };
  const buyer = { ...(values.buyer as TaxInvoice["buyer"]), ...names };
  const { text, pdf } = await read(createInvoice({ buyer }));
  for (const one of ["?? ABC\n", "Łukasz Żółć", "Question marks replace characters"]) expect(text).toContain(one);
  expect([await countMissingGlyphs(pdf), pdf.numPages]).toEqual([0, 1]);
  expect((await renderTaxInvoicePdf(createInvoice({ buyer }))).toString("latin1")).toContain("/ActualText");
  expect((await read(createInvoice())).text).not.toContain("Question marks");
  const lines = [{ description: "Training \u{13000}", amountCents: 142_400 }];
  for (const changes of [{ lines }, { purchaseOrder: "PO-\u{13000}" }])
    expect((await read(createInvoice(changes))).text).toContain("Question marks replace characters");
});

test("shows the adjusted invoice and negative amounts on an adjustment note", async () => {
  const { text } = await read(
    createInvoice({
      kind: "adjustment",
      number: "A-100001",
      adjusts: createInvoice(),
      lines: [{ description: "Refund of tax invoice 100003", amountCents: -128_160 }],
      amountCents: -128_160,
      discountCents: 0,
      gstCents: -12_816,
      totalCents: -140_976,
    }),
  );
  for (const words of [
    "Adjustment note\n",
    "Note number\nA-100001",
    "Adjusts tax invoice\n100003",
    "Refund of tax invoice 100003 −$1,281.60",
    "GST 10 % −$128.16",
    "Total adjustment (AUD) −$1,409.76",
    "Refunded to card ending 4242 on 21/09/2026",
  ])
    expect(text).toContain(words);
});
