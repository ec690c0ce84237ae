import { extractText, getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { readFileSync } from "node:fs";
import { afterAll, expect, test, vi } from "vitest";
import { expectNoBuiltInCompany } from "#tests/support/built-in-company.ts";

// As in the server, the brand is applied before the modules that read it are loaded.
vi.resetModules();
afterAll(() => vi.resetModules());
const { applyBrandSettings, logoPath, readLogo } = await import("#api/platform/brand-file.ts");
applyBrandSettings({ BRAND_FILE: "brand.example.json" });
const { getEmailTemplates } = await import("#api/messaging/emails/template.tsx");
const { renderSample } = await import("#api/messaging/emails/layout.tsx");
const { trialEnding } = await import("#api/messaging/emails/templates/trial-ending.tsx");
const { renderLegalPdf } = await import("#api/app/legal-pdf.ts");

const site = "https://portal.example";
for (const load of Object.values(import.meta.glob("/api/messaging/emails/templates/*"))) await load();

test.each([...getEmailTemplates().values()])("$name shows only the company of the brand file", (template) => {
  const { subject, html, text } = renderSample(site, template);
  expectNoBuiltInCompany(subject + html + text, template.name);
  expect(html).toContain("Ridgeline Scheduling");
  expect(html).toContain(`${site}${logoPath}`);
});

test("dates in emails are in the time zone of the brand file", () => {
  const { text } = renderSample(site, trialEnding);
  expect(text).toContain("5 Dec 2026, 3:25 pm AEDT");
});

test("a legal document shows only the company of the brand file", async () => {
  const fields = { heading: "Terms", updated: "2026-01-01", updatedLabel: "1 January 2026" };
  const pdf = await getDocumentProxy(new Uint8Array(await renderLegalPdf({ fields, body: "Pay on time." })));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text).toContain("Ridgeline Scheduling");
  expectNoBuiltInCompany(text + JSON.stringify(await pdf.getMetadata()), "PDF");
  const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  const [, width] = argsArray[fnArray.indexOf(OPS.paintImageXObject)] as [string, number];
  expect(width).toBe(readLogo().readUInt32BE(16));
  expect(width).not.toBe(readFileSync(`web/public${logoPath}`).readUInt32BE(16));
});
