import { expect, test } from "vitest";
import { type MailTemplateName, type MailTemplates, renderMail } from "#api/features/mails/templates/index.tsx";

const site = "https://portal.example";
const at = new Date("2026-12-05T04:25:00Z");

const samples: MailTemplates = {
  "confirm-email": { firstName: "Ada", link: `${site}/confirm-email?t=secret` },
  "already-registered": { signInLink: `${site}/login`, resetLink: `${site}/forgot-password/` },
  "reset-password": { firstName: "Ada", link: `${site}/reset-password/?t=secret` },
  "password-changed": { firstName: "Ada", at },
  welcome: { firstName: "Ada" },
  "trial-started": { firstName: "Ada", licenceCode: "AAAAA-BBBBB", expiresAt: at, conversionLimit: 20 },
  "trial-ending": { firstName: "Ada", expiresAt: at },
  "trial-ended": { firstName: "Ada" },
  "device-deactivated": { firstName: "Ada", machineName: "BNE-PLAN-007", at, deactivationsRemaining: 2 },
};

const render = <Name extends MailTemplateName>(template: Name, changes: Partial<MailTemplates[Name]> = {}) =>
  renderMail(site, { template, data: { ...samples[template], ...changes } });

const names = Object.keys(samples) as MailTemplateName[];

test.each(names)("%s has a subject, text that stands alone, and only links to the portal", async (name) => {
  const { subject, text, html } = await render(name);
  expect(subject.length).toBeGreaterThan(10);
  expect(subject.length).toBeLessThan(70);
  expect(text).not.toMatch(/undefined|null|NaN|<\/?\w/);
  const links = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toMatch(/^(https:\/\/portal\.example\/|mailto:)/);
  // Whoever reads links from the text finds nothing sticking to them.
  for (const [, link] of text.matchAll(/(https?:\/\/\S+)/g))
    expect(html.replaceAll("&amp;", "&")).toContain(`href="${link}"`);
  expect(html).not.toMatch(/<(script|img|link)\b|@import|url\(/);
});

test("moments stand in the brand's time zone, day first", async () => {
  expect((await render("trial-ending")).text).toContain("05/12/2026 at 2:25 pm AEST");
});

test("what people typed is shown and never becomes markup", async () => {
  const { html, text } = await render("device-deactivated", { machineName: '<a href="https://evil.example">PC</a>' });
  expect(html).not.toContain('<a href="https://evil.example"');
  expect(text).toContain('<a href="https://evil.example">PC</a>');
});

test.each(["Visit evil.example now", "https://evil.example", "me@evil.example", "a/b"])(
  "a first name that looks like an address is left out of the greeting: %s",
  async (firstName) => {
    const { html } = await render("confirm-email", { firstName });
    expect(html).not.toContain("evil");
    expect(html).toContain("Hello,");
  },
);

test.each(["J. P.", "Siobhán", "伟", "O'Brien", "Xiù Yīng"])(
  "a first name is greeted as it is: %s",
  async (firstName) => {
    expect((await render("confirm-email", { firstName })).text).toContain(`Hello ${firstName},`);
  },
);
