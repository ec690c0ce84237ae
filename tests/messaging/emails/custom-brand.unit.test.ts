import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, expect, test, vi } from "vitest";
import { expectNoBuiltInCompany } from "#tests/support/built-in-company.ts";

// As in the server, the brand is applied before the modules that read it are loaded.
vi.resetModules();
afterAll(() => vi.resetModules());
const { applyBrandSettings } = await import("#api/platform/brand-file.ts");
applyBrandSettings({ BRAND_FILE: "brand.example.json" });
const { createEmailSamples } = await import("#api/dev/email-samples.ts");
const { renderEmail } = await import("#api/messaging/emails/templates/index.tsx");
const { renderLegalPdf } = await import("#api/app/legal-pdf.ts");

const site = "https://portal.example";
const samples = createEmailSamples(site);
const templates = Object.keys(samples) as (keyof typeof samples)[];

test.each(templates)("%s shows only the company of the brand file", async (template) => {
  const { subject, html, text } = await renderEmail(site, { template, data: samples[template] });
  expectNoBuiltInCompany(subject + html + text, template);
  expect(html).toContain("Ridgeline Scheduling");
});

test("dates in emails are in the time zone of the brand file", async () => {
  const { text } = await renderEmail(site, { template: "trial-ending", data: samples["trial-ending"] });
  expect(text).toContain("5 Dec 2026, 3:25 pm AEDT");
});

test("a legal document shows only the company of the brand file", async () => {
  const fields = { heading: "Terms", updated: "2026-01-01", updatedLabel: "1 January 2026" };
  const pdf = await getDocumentProxy(new Uint8Array(await renderLegalPdf({ fields, body: "Pay on time." })));
  const { text } = await extractText(pdf, { mergePages: true });
  expect(text).toContain("Ridgeline Scheduling");
  expectNoBuiltInCompany(text + JSON.stringify(await pdf.getMetadata()), "PDF");
});
