import { expect, test } from "vitest";
import { verifySender } from "#api/messaging/emails/smtp-transport.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";

test.each([
  ["everything", {}, null],
  ["no email to its own address", { refuse: "550 5.1.1 no such user" }, null],
  ["no such sender", { refuseSender: "553 5.7.1 not owned by user" }, /not owned by user/],
  ["no such sender, which it says late", { refuse: "553 5.7.1 sender not owned by user" }, /not owned by user/],
])("checks the sender at a server that accepts %s, without sending an email", async (_what, options, refusal) => {
  const server = await startSmtpServer(options);
  const verified = verifySender(server.url);
  await (refusal ? expect(verified).rejects.toThrow(refusal) : expect(verified).resolves.toBeUndefined());
  await expect(verifySender("smtp://127.0.0.1:9")).rejects.toThrow(/ECONNREFUSED/);
  expect(server.delivered).toEqual([]);
  await server.close();
});
