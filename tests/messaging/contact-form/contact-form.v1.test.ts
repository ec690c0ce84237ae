import { expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const mailbox = brand.mailboxes.sales.email;
const confirmation = "Your message has been successfully sent.";

let count = 0;

const message = (changes: Record<string, unknown> = {}) => ({
  name: "Ada Byron",
  email: `sender${++count}@example.com`,
  phone: "0400 000 000",
  message: "Do you sell to schools?\n\nWe are twelve people.",
  ...changes,
});

const send = (body: unknown, token?: string) =>
  app.rest("POST", "/v1/contact-us/send", { body, ...(token ? { token } : {}) });

const findStoredCopy = (email: unknown) => app.context().em.findOne(ContactMessage, { email: email as string });
const findEmailFrom = async (email: unknown) =>
  (await listEmailsTo(app, mailbox)).find(({ replyTo }) => replyTo === email);

test("emails a message to the mailbox for general enquiries, with the sender as Reply-To, and stores a copy", async () => {
  const values = message();
  const response = await send(values);
  expect([response.status, response.json]).toEqual([200, confirmation]);
  const delivered = await findEmailFrom(values.email);
  expect(delivered?.subject).toBe("Contact form: message from Ada Byron");
  for (const part of ["Ada Byron", values.email, "0400 000 000", "Do you sell to schools?", "We are twelve people."])
    expect(delivered?.text).toContain(part);
  expect(delivered?.text).toMatch(/schools\?\n\nWe are/);
  expect(await findStoredCopy(values.email)).toMatchObject({ ...values, mailbox, suspicion: null, user: null });
});

test("links the stored copy to the signed-in user", async () => {
  const user = await createUser(app);
  const values = message();
  expect((await send(values, await signInAs(app, user))).json).toBe(confirmation);
  expect((await findStoredCopy(values.email))?.user?.id).toBe(user.id);
});

test("returns the rules' messages by field and sends nothing", async () => {
  const values = message({ name: "A", message: ["a"] });
  expect(await send(values)).toMatchObject({
    status: 400,
    json: { name: ["Name must have at least 2 characters."], message: ["Must be text."] },
  });
  expect(await findStoredCopy(values.email)).toBeNull();
});

test("escapes markup, replaces line separators in the subject, and keeps an emoji where the preview line ends", async () => {
  const deliver = async (changes: object) => {
    const values = message({ ...changes });
    expect((await send(values)).status).toBe(200);
    return findEmailFrom(values.email);
  };
  const marked = await deliver({ message: '<img src="https://evil.example/x.png"> <script>alert(1)</script>' });
  expect(marked?.html).not.toMatch(/<img[^>]*evil|<script\b/);
  expect(marked?.text).toContain("<script>alert(1)</script>");
  expect((await deliver({ name: "Ada\u2028Bcc: x" }))?.subject).toBe("Contact form: message from Ada Bcc: x");
  expect((await deliver({ message: `${"a".repeat(119)}😀` }))?.text).toContain("a😀");
});

test.each([
  ["with a filled-in hidden field", { website: "https://spam.example" }, "honeypot"],
  ["sent less than two seconds after the form opened", { secondsTaken: 1 }, "too-fast"],
])("stores a message %s without emailing it, and returns the same response", async (_, changes, suspicion) => {
  const accepted = await send(message({ secondsTaken: 2, website: "" }));
  const values = message(changes);
  const response = await send(values);
  expect([response.status, response.text]).toEqual([accepted.status, accepted.text]);
  expect((await findStoredCopy(values.email))?.suspicion).toBe(suspicion);
  expect(await findEmailFrom(values.email)).toBeUndefined();
});

test("stores no copy if the email can't be written", async () => {
  const values = message();
  await app.services.pool.query("alter table mails rename to mails_away");
  try {
    expect((await send(values)).status).toBe(500);
  } finally {
    await app.services.pool.query("alter table mails_away rename to mails");
  }
  expect(await findStoredCopy(values.email)).toBeNull();
});

test("rejects the sixth message from one IP address in an hour with a Retry-After header, even for concurrent requests", async () => {
  const limited = await startTestApp({ rateLimits: true });
  const flood = Array.from({ length: 12 }, () => limited.rest("POST", "/v1/contact-us/send", { body: message() }));
  const responses = await Promise.all(flood);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  const rejected = responses.find(({ status }) => status !== 200);
  expect(rejected?.status).toBe(429);
  expect(Number(rejected?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await limited.context().em.count(ContactMessage, {})).toBe(5);
});
