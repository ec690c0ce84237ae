import { basename } from "node:path";
import { expect, test } from "vitest";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { confirmEmail } from "#api/messaging/emails/templates/confirm-email.tsx";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const files = Object.keys(import.meta.glob("/api/messaging/emails/templates/*"));
const names = files.map((file) => basename(file, ".tsx"));

test("the email preview lists every template and shows the first", async () => {
  const { status, text, headers } = await app.rest("GET", "/dev/mail/preview");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("text/html");
  // A template is listed because the module that sends it is loaded.
  expect([...text.matchAll(/href="\?template=([^"]+)"/g)].map((match) => match[1])).toEqual(names);
  expect(text).toContain(`src="/dev/mail/preview/${names[0]}/html"`);
});

test("the email preview shows a chosen template with sample data in a sandboxed document", async () => {
  const name = "invoice-paid";
  const page = await app.rest("GET", `/dev/mail/preview?template=${name}`);
  expect(page.text).toMatch(new RegExp(`aria-current="true"><strong>${name}<`));
  const shown = await app.rest("GET", `/dev/mail/preview/${name}/html`);
  expect(shown.status).toBe(200);
  expect(shown.headers.get("content-security-policy")).toContain("sandbox");
  expect(shown.text).toContain("http://portal.test");
  expect(shown.text).not.toMatch(/undefined|NaN|<script/);
});

async function sendTestEmail(to: string, firstName = "Ada"): Promise<void> {
  const link = `${app.services.config.publicUrl}/confirm-email?t=secret`;
  const data = { firstName, link, startsTrial: false };
  await sendEmail(app.services, app.context().em, { template: confirmEmail, to, data });
}

test("the mailbox returns an email immediately in the published shape, ignoring the case of the address", async () => {
  await sendTestEmail("Shape@example.com");
  const { status, json } = await app.rest("GET", "/dev/mail.json?to=sHAPE@EXAMPLE.com");
  expect(status).toBe(200);
  expect(json).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      to: "Shape@example.com",
      replyTo: null,
      subject: "Confirm your email address for Planvarro Software",
      text: expect.stringContaining("http://portal.test/confirm-email?t=secret\n"),
      html: expect.stringContaining("<!DOCTYPE html"),
      sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  ]);
});

test("the mailbox lists the newest email first, even after the clock was set back", async () => {
  await app.rest("POST", "/dev/clock", { body: { advanceSeconds: 86_400 } });
  await sendTestEmail("order@example.com", "First");
  await app.rest("POST", "/dev/clock", { body: { reset: true } });
  await sendTestEmail("order@example.com", "Second");
  const { json } = await app.rest("GET", "/dev/mail.json?to=order@example.com");
  expect(json.map((one: { text: string }) => /Hello (\w+)/.exec(one.text)?.[1])).toEqual(["Second", "First"]);
});

test("the mailbox returns all emails if no address is given, and doesn't treat an address as a pattern", async () => {
  await sendTestEmail("percent%@example.com");
  expect((await app.rest("GET", "/dev/mail.json")).json.length).toBeGreaterThan(1);
  const one = await app.rest("GET", `/dev/mail.json?to=${encodeURIComponent("percent%@example.com")}`);
  expect(one.json).toHaveLength(1);
  expect((await app.rest("GET", `/dev/mail.json?to=${encodeURIComponent("%")}`)).json).toEqual([]);
});

test("the mailbox lists emails on a page and shows one in a sandboxed document", async () => {
  await sendTestEmail("page@example.com", "<img src=x>");
  const page = await app.rest("GET", "/dev/mail?to=page@example.com");
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(page.text).toContain("page@example.com");
  const frame = /src="(\/dev\/mail\/[0-9a-f-]+\/html)"/.exec(page.text)?.[1] ?? "";
  expect(page.text).toMatch(/<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  const html = await app.rest("GET", frame);
  expect(html.status).toBe(200);
  expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(html.headers.get("content-security-policy")).toContain("sandbox");
  expect(html.text).not.toContain("<img src=x");
});
