import { expect, test } from "vitest";
import { type OutgoingMail, sendMail } from "#api/messaging/mails/send-mail.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

async function mail(to: string, firstName = "Ada"): Promise<void> {
  const mail: OutgoingMail = {
    template: "confirm-email",
    to,
    data: { firstName, link: `${app.services.config.publicUrl}/confirm-email?t=secret` },
  };
  await sendMail(app.services, app.context().em, mail);
}

test("the mailbox gives a mail at once, in the promised shape, whatever the case of the address", async () => {
  await mail("Shape@example.com");
  const { status, json } = await app.rest("GET", "/dev/mail.json?to=sHAPE@EXAMPLE.com");
  expect(status).toBe(200);
  expect(json).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      to: "Shape@example.com",
      replyTo: null,
      subject: "Confirm your email address for XER Solutions",
      text: expect.stringContaining("http://portal.test/confirm-email?t=secret\n"),
      html: expect.stringContaining("<!DOCTYPE html"),
      sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  ]);
});

test("the newest mail stands first, even when the clock was put back in between", async () => {
  await app.rest("POST", "/dev/clock", { body: { advanceSeconds: 86_400 } });
  await mail("order@example.com", "First");
  await app.rest("POST", "/dev/clock", { body: { reset: true } });
  await mail("order@example.com", "Second");
  const { json } = await app.rest("GET", "/dev/mail.json?to=order@example.com");
  expect(json.map((one: { text: string }) => /Hello (\w+)/.exec(one.text)?.[1])).toEqual(["Second", "First"]);
});

test("without an address all mail is given, and an address is not a pattern", async () => {
  await mail("percent%@example.com");
  const all = await app.rest("GET", "/dev/mail.json");
  expect(all.json.length).toBeGreaterThan(1);
  const one = await app.rest("GET", `/dev/mail.json?to=${encodeURIComponent("percent%@example.com")}`);
  expect(one.json).toHaveLength(1);
  const none = await app.rest("GET", `/dev/mail.json?to=${encodeURIComponent("%")}`);
  expect(none.json).toEqual([]);
});

test("the page lists mails and shows one as a document without rights", async () => {
  await mail("page@example.com", "<img src=x>");
  const page = await app.rest("GET", "/dev/mail?to=page@example.com");
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(page.text).toContain("page@example.com");
  const frame = /src="(\/dev\/mail\/[0-9a-f-]+\/html)"/.exec(page.text)?.[1] ?? "";
  expect(page.text).toMatch(/<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  const html = await app.rest("GET", frame);
  expect(html.status).toBe(200);
  expect(html.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(html.headers.get("content-security-policy")).toContain("sandbox");
  expect(html.text).not.toContain("<img");
});

test.each(["not-an-id", "00000000-0000-4000-8000-000000000000"])(
  "a mail that is not there is a 404: %s",
  async (id) => {
    expect((await app.rest("GET", `/dev/mail/${id}/html`)).status).toBe(404);
  },
);

test("an empty mailbox says so", async () => {
  const page = await app.rest("GET", "/dev/mail?to=nobody@example.com");
  expect(page.text).toContain("No mail to nobody@example.com.");
});
