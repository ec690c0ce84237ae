import { expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const mailbox = brand.mailboxes.sales.email;
const sent = "Your message has been successfully sent.";

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

const copyOf = (email: unknown) => app.context().em.findOne(ContactMessage, { email: email as string });
const mailFrom = async (email: unknown) => (await mailsTo(app, mailbox)).find((mail) => mail.replyTo === email);

test("a message is mailed to the mailbox for general questions, answered to its sender, and kept", async () => {
  const values = message();
  const answer = await send(values);
  expect([answer.status, answer.json]).toEqual([200, sent]);
  const mail = await mailFrom(values.email);
  expect(mail?.subject).toBe("Contact form: message from Ada Byron");
  for (const part of ["Ada Byron", values.email, "0400 000 000", "Do you sell to schools?", "We are twelve people."])
    expect(mail?.text).toContain(part);
  expect(mail?.text).toMatch(/schools\?\n\nWe are/);
  expect(await copyOf(values.email)).toMatchObject({ ...values, mailbox, suspicion: null, user: null });
});

test("the copy of a signed-in person's message knows whose it is", async () => {
  const user = await createUser(app);
  const values = message();
  expect((await send(values, await signInAs(app, user))).json).toBe(sent);
  expect((await copyOf(values.email))?.user?.id).toBe(user.id);
});

test("GraphQL does the same", async () => {
  const input = message({ secondsTaken: 40, website: "" });
  const { data } = await app.graphql(
    "mutation Send($input: ContactMessageInput!) { sendContactMessage(input: $input) }",
    { input },
  );
  expect(data.sendContactMessage).toBe(sent);
  expect(await mailFrom(input.email)).toBeTruthy();
});

const words = (many: number) => Array.from({ length: many }, (_, index) => `word${index}`).join(" ");

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
  ["message", words(501), "Message should not exceed 500 Words."],
  ["message", "x".repeat(20_001), "Message should not exceed 500 Words."],
  ["message", "a\u0000b", "Contains characters that are not allowed."],
  ["message", ["a"], "Must be text."],
])("%s is refused with its sentence (case %#)", async (field, value, sentence) => {
  const answer = await send(message({ [field]: value }));
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.json)).toEqual([field]);
  expect(answer.json[field]).toContain(sentence);
});

test.each([
  ["name", "Zé"],
  ["name", "O'Brien-Łukasz 伟 😀"],
  ["name", "B".repeat(30)],
  ["phone", "0400000000"],
  ["message", words(500)],
])("%s at its bounds passes (case %#)", async (field, value) => {
  expect((await send(message({ [field]: value }))).json).toBe(sent);
});

test("nothing typed becomes a header: a name cannot break the line, and its separators become spaces", async () => {
  expect((await send(message({ name: "Ada\r\nBcc: all@example.com" }))).status).toBe(400);
  const values = message({ name: "Ada\u2028Bcc: x" });
  expect((await send(values)).status).toBe(200);
  expect((await mailFrom(values.email))?.subject).toBe("Contact form: message from Ada Bcc: x");
});

test("markup in a message stays text", async () => {
  const values = message({ message: '<img src="https://evil.example/x.png"> <script>alert(1)</script>' });
  await send(values);
  const mail = await mailFrom(values.email);
  expect(mail?.html).not.toMatch(/<(img|script)\b/);
  expect(mail?.text).toContain("<script>alert(1)</script>");
});

test.each([
  ["the field that people do not see is filled in", { website: "https://spam.example" }, "honeypot"],
  ["the form was open for less than two seconds", { secondsTaken: 1 }, "too-fast"],
])("when %s, the message is kept and answered alike, and not mailed", async (_, changes, suspicion) => {
  const honest = await send(message({ secondsTaken: 2, website: "" }));
  const values = message(changes);
  const answer = await send(values);
  expect([answer.status, answer.text]).toEqual([honest.status, honest.text]);
  expect((await copyOf(values.email))?.suspicion).toBe(suspicion);
  expect(await mailFrom(values.email)).toBeUndefined();
});

test("a message whose mail cannot be written is not kept either", async () => {
  const values = message();
  await app.services.pool.query("alter table mails rename to mails_away");
  try {
    expect((await send(values)).status).toBe(500);
  } finally {
    await app.services.pool.query("alter table mails_away rename to mails");
  }
  expect(await copyOf(values.email)).toBeNull();
});
