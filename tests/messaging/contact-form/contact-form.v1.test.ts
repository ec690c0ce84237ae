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

test("sends a message through GraphQL", async () => {
  const input = message({ secondsTaken: 40, website: "" });
  const { data } = await app.graphql(
    "mutation Send($input: ContactMessageInput!) { sendContactMessage(input: $input) { message } }",
    { input },
  );
  expect(data.sendContactMessage.message).toBe(confirmation);
  expect(await findEmailFrom(input.email)).toBeTruthy();
});

const createWords = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

test.each([
  ["name", "", "Name is required."],
  ["name", undefined, "Name is required."],
  ["name", "A", "Name must have at least 2 characters."],
  ["name", "A".repeat(31), "Name is too long."],
  ["email", "  ", "Email address is required."],
  ["email", "ada@", "Invalid email address"],
  ["email", "ada@example.com\r\nBcc: all@example.com", "Invalid email address"],
  ["email", "ada@example.com,all@example.com", "Invalid email address"],
  ["phone", null, "Phone number is required."],
  ["phone", "040000000", "Invalid phone number."],
  ["message", "\n \n", "Message is required."],
  ["message", createWords(501), "Message should not exceed 500 Words."],
  ["message", "x".repeat(20_001), "Message should not exceed 500 Words."],
  ["message", "a\u0000b", "Contains characters that are not allowed."],
  ["message", ["a"], "Must be text."],
])("rejects an invalid %s (case %#)", async (field, value, error) => {
  const response = await send(message({ [field]: value }));
  expect(response.status).toBe(400);
  expect(Object.keys(response.json)).toEqual([field]);
  expect(response.json[field]).toContain(error);
});

test.each([
  ["name", "Zé"],
  ["name", "O'Brien-Łukasz 伟 😀"],
  ["name", "B".repeat(30)],
  ["phone", "0400000000"],
  ["message", createWords(500)],
])("accepts a %s at its limit (case %#)", async (field, value) => {
  expect((await send(message({ [field]: value }))).json).toBe(confirmation);
});

test("rejects line breaks in a name and replaces other line separators in the subject with spaces", async () => {
  expect((await send(message({ name: "Ada\r\nBcc: all@example.com" }))).status).toBe(400);
  const values = message({ name: "Ada\u2028Bcc: x" });
  expect((await send(values)).status).toBe(200);
  expect((await findEmailFrom(values.email))?.subject).toBe("Contact form: message from Ada Bcc: x");
});

test("escapes markup in a message", async () => {
  const values = message({ message: '<img src="https://evil.example/x.png"> <script>alert(1)</script>' });
  await send(values);
  const delivered = await findEmailFrom(values.email);
  expect(delivered?.html).not.toMatch(/<(img|script)\b/);
  expect(delivered?.text).toContain("<script>alert(1)</script>");
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
