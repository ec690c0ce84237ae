import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEmailSamples } from "#api/dev/email-samples.ts";
import { type EmailTemplateName, type EmailTemplates, renderEmail } from "#api/messaging/emails/templates/index.tsx";

const site = "https://portal.example";
const samples = createEmailSamples(site);

const render = <Name extends EmailTemplateName>(template: Name, changes: Partial<EmailTemplates[Name]> = {}) =>
  renderEmail(site, { template, data: { ...samples[template], ...changes } });

const names = Object.keys(samples) as EmailTemplateName[];

test("has a preview sample for every template", () => {
  const folder = "api/messaging/emails/templates";
  const templates = readdirSync(folder).filter((file) =>
    /export const \w+: EmailTemplate</.test(readFileSync(`${folder}/${file}`, "utf8")),
  );
  expect(templates.map((file) => file.replace(/\.tsx$/, "")).sort()).toEqual([...names].sort());
});

test.each(names)("renders %s with a subject and complete text, and links only to the portal", async (name) => {
  const { subject, text, html } = await render(name);
  expect(subject.length).toBeGreaterThan(10);
  expect(subject.length).toBeLessThan(70);
  expect(text).not.toMatch(/undefined|null|NaN|<\/?\w/);
  const links = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toMatch(/^(https:\/\/portal\.example\/|mailto:)/);
  // Links that email clients find in the plain text must not include surrounding characters.
  for (const [, link] of text.matchAll(/(https?:\/\/\S+)/g))
    expect(html.replaceAll("&amp;", "&")).toContain(`href="${link}"`);
  expect(html).not.toMatch(/<(script|img|link)\b|@import|url\(/);
});

test("shows times in the vendor's time zone with its name", async () => {
  expect((await render("trial-ending")).text).toContain("5 Dec 2026, 2:25 pm AEST");
});

test("writes dates with the name of the month", async () => {
  expect((await render("account-closed")).text).toContain("We closed your account on 20 Nov 2026.");
  expect((await render("report-ready")).text).toContain("28 Nov 2026 to 4 Dec 2026");
  for (const name of names) expect((await render(name)).text, name).not.toMatch(/\d\d\/\d\d\/\d{4}/);
});

test("doesn't mention a card in a tax invoice", async () => {
  expect((await render("tax-invoice")).text).not.toContain("card");
});

test("escapes user input", async () => {
  const { html, text } = await render("device-deactivated", { machineName: '<a href="https://evil.example">PC</a>' });
  expect(html).not.toContain('<a href="https://evil.example"');
  expect(text).toContain('<a href="https://evil.example">PC</a>');
});

test.each(["Visit evil.example now", "https://evil.example", "me@evil.example", "a/b"])(
  "omits a first name that looks like a link from the greeting: %s",
  async (firstName) => {
    const { html } = await render("confirm-email", { firstName });
    expect(html).not.toContain("evil");
    expect(html).toContain("Hello,");
  },
);

test.each(["J. P.", "Siobhán", "伟", "O'Brien", "Xiù Yīng"])(
  "uses the first name in the greeting: %s",
  async (firstName) => {
    expect((await render("confirm-email", { firstName })).text).toContain(`Hello ${firstName},`);
  },
);
