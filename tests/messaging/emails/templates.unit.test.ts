import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { getEmailTemplates } from "#api/messaging/emails/template.tsx";
import { renderEmail, renderSample } from "#api/messaging/emails/layout.tsx";
import { hasSecret } from "#api/messaging/emails/sealed-content.ts";
import { accountClosed } from "#api/messaging/emails/templates/account-closed.tsx";
import { confirmEmail } from "#api/messaging/emails/templates/confirm-email.tsx";
import { deviceDeactivated } from "#api/messaging/emails/templates/device-deactivated.tsx";
import { licenceExpiring } from "#api/messaging/emails/templates/licence-expiring.tsx";
import { reportReady } from "#api/messaging/emails/templates/report-ready.tsx";
import { subscriptionRenewed } from "#api/messaging/emails/templates/subscription-renewed.tsx";
import { taxInvoice } from "#api/messaging/emails/templates/tax-invoice.tsx";
import { trialEnding } from "#api/messaging/emails/templates/trial-ending.tsx";

const site = "https://portal.example";
const modules = import.meta.glob("/api/messaging/emails/templates/*", { eager: true });
const templates = [...getEmailTemplates().values()];

test("finds every template by the name of its file", () => {
  expect(templates.map(({ name }) => `/api/messaging/emails/templates/${name}.tsx`)).toEqual(Object.keys(modules));
});

test("has code that sends every template", () => {
  const sources = globSync("api/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));
  const isSent = (name: string) => sources.some((source) => source.includes(`/emails/templates/${name}.tsx"`));
  expect(templates.map(({ name }) => name).filter((name) => !isSent(name))).toEqual([]);
});

test.each(templates)("renders $name with a subject and complete text, and links only to the portal", (template) => {
  const { subject, text, html } = renderSample(site, template);
  // It knows whether it contains a link with a token, or a code.
  const expected = /t=secret|[0-9A-Z]{5}-[0-9A-Z]{5}-|407 192/.test(text);
  expect(hasSecret(template, { text, html })).toBe(expected);
  expect(subject.length).toBeGreaterThan(10);
  expect(subject.length).toBeLessThan(70);
  expect(text).not.toMatch(/undefined|null|NaN|<\/?\w/);
  const links = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toMatch(/^(https:\/\/portal\.example\/|mailto:)/);
  // Links that email clients find in the plain text must not include surrounding characters.
  for (const [, link] of text.matchAll(/(https?:\/\/\S+)/g))
    expect(html.replaceAll("&amp;", "&")).toContain(`href="${link}"`);
  expect(html).not.toMatch(/<(script|link)\b|@import|url\(/);
  // The logo is the only picture, and the email reads the same without it.
  expect(Array.from(html.matchAll(/<img\b[^>]*>/g), ([image]) => image)).toEqual([
    expect.stringContaining('src="https://portal.example/media/logo.png" alt=""'),
  ]);
});

test("shows times in the time zone of the recipient, or else of the vendor, with its name", () => {
  expect(renderSample(site, trialEnding).text).toContain("5 Dec 2026, 2:25 pm AEST");
  const data = { firstName: "Ada", expiresAt: new Date("2026-12-05T04:25:00Z"), canSubscribe: true };
  const email = renderEmail(site, { template: trialEnding, data, timeZone: "Europe/London" });
  expect(email.text).toContain("5 Dec 2026, 4:25 am GMT");
});

test("shows the end of a day as that day in every time zone, as the portal does", () => {
  const { text } = renderSample(site, licenceExpiring, { expiresAt: new Date("2026-12-05T23:59:59.999Z") });
  expect(text).toContain("Ends: 5 Dec 2026\n");
});

test("writes dates with the name of the month", () => {
  expect(renderSample(site, accountClosed).text).toContain("We closed your account on 20 Nov 2026.");
  expect(renderSample(site, reportReady).text).toContain("28 Nov 2026 to 4 Dec 2026");
  for (const template of templates)
    expect(renderSample(site, template).text, template.name).not.toMatch(/\d\d\/\d\d\/\d{4}/);
});

test("announces no next payment for a renewed subscription that is cancelled", () => {
  const { text } = renderSample(site, subscriptionRenewed, { isEnding: true });
  expect(text).toContain("Your subscription is cancelled and ends on 5 Dec 2026. We'll send");
  expect(text).not.toContain("next payment");
});

test("doesn't mention a card in a tax invoice, and thanks for no payment of a free one", () => {
  expect(renderSample(site, taxInvoice).text).not.toContain("card");
  const { text } = renderSample(site, taxInvoice, { totalCents: 0 });
  expect(text).toContain("Amount: A$0.00");
  expect(text).not.toContain("Thank you");
});

test("escapes user input", () => {
  const { html, text } = renderSample(site, deviceDeactivated, {
    machineName: '<a href="https://evil.example">PC</a>',
  });
  expect(html).not.toContain('<a href="https://evil.example"');
  expect(text).toContain('<a href="https://evil.example">PC</a>');
});

test("greets by first name, unless it looks like a link", () => {
  for (const firstName of ["Visit evil.example now", "evil24.com", "https://evil.example", "me@evil.example", "a/b"]) {
    const { html } = renderSample(site, confirmEmail, { firstName });
    expect(html).not.toContain("evil");
    expect(html).toContain("Hello,");
  }
  for (const firstName of ["J. P.", "Siobhán", "伟", "O'Brien", "Xiù Yīng"])
    expect(renderSample(site, confirmEmail, { firstName }).text).toContain(`Hello ${firstName},`);
});
