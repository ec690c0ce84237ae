import { expect, test } from "vitest";
import { createEmailSamples } from "#api/dev/email-samples.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const names = Object.keys(createEmailSamples("http://portal.test"));

test("lists every template and shows the first", async () => {
  const { status, text, headers } = await app.rest("GET", "/dev/mail/preview");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("text/html");
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(text).toContain(`href="?template=${name}"`);
  expect(text).toContain(`src="/dev/mail/preview/${names[0]}/html"`);
});

test.each(names)("shows %s with sample data in a sandboxed document", async (name) => {
  const page = await app.rest("GET", `/dev/mail/preview?template=${name}`);
  expect(page.status).toBe(200);
  expect(page.text).toMatch(new RegExp(`aria-current="true"><strong>${name}<`));
  const shown = await app.rest("GET", `/dev/mail/preview/${name}/html`);
  expect(shown.status).toBe(200);
  expect(shown.headers.get("content-security-policy")).toContain("sandbox");
  expect(shown.text).toContain("http://portal.test");
  expect(shown.text).not.toMatch(/undefined|NaN|<script/);
});

test.each([
  "/dev/mail/preview?template=unknown",
  "/dev/mail/preview?template=toString",
  "/dev/mail/preview?template=trial-ended&template=trial-ended",
  "/dev/mail/preview/unknown/html",
  "/dev/mail/preview/..%2f..%2fetc/html",
])("returns 404 for an unknown template: %s", async (path) => {
  expect((await app.rest("GET", path)).status).toBe(404);
});

test("sends no email", async () => {
  expect((await app.rest("GET", "/dev/mail.json")).json).toEqual([]);
});
