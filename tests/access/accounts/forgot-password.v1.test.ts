import { describe, expect, test } from "vitest";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { Mail } from "#api/messaging/mails/mail.entity.ts";
import { createUser, registration } from "#tests/factories/user.ts";
import { mailsTo, secretMailedTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { gapsWithin } from "#tests/support/timing.ts";

const app = await startTestApp();

const forgot = (email: string, headers = {}) =>
  app.rest("PATCH", `/v1/core/accounts/${encodeURIComponent(email)}/password/reset/request`, { headers });
const isValid = async (resetToken: unknown) =>
  (await app.rest("POST", "/v1/core/accounts/token/validate", { body: { resetToken } })).json;
const countMails = () => app.context().em.count(Mail);

describe("asking for a reset link", () => {
  test("mails a link of this site whatever the Host header says, and stores no secret", async () => {
    const user = await createUser(app);
    const answer = await forgot(user.email.toUpperCase(), { host: "evil.example", "x-forwarded-host": "evil.example" });
    expect([answer.status, answer.text]).toEqual([200, "true"]);
    const [mail] = await mailsTo(app, user.email);
    expect(mail?.to).toBe(user.email);
    expect(mail?.text).toContain("http://portal.test/reset-password/?t=");
    expect(mail?.text).not.toContain("evil");
    const secret = await secretMailedTo(app, user.email);
    expect(await isValid(secret)).toBe(true);
    const [token] = await app.context().em.find(EmailToken, { user: user.id });
    expect(JSON.stringify(token)).not.toContain(secret);
  });

  test("answers an unknown and an archived address in the same bytes, and mails nobody", async () => {
    const known = await forgot((await createUser(app)).email);
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    const before = await countMails();
    for (const email of ["nobody@example.com", archived.email]) {
      const answer = await forgot(email);
      expect([answer.status, answer.text]).toEqual([known.status, known.text]);
      const shown = ({ headers }: typeof answer) => [...headers.keys()].filter((name) => name !== "date").toSorted();
      expect(shown(answer)).toEqual(shown(known));
    }
    expect(await countMails()).toBe(before);
    expect(await app.services.jobs.drain()).toBeGreaterThan(0);
  });

  test("mails the unconfirmed too", async () => {
    const user = await createUser(app, { emailConfirmedAt: null });
    await forgot(user.email);
    expect(await isValid(await secretMailedTo(app, user.email))).toBe(true);
  });

  test("for an address registered twice mails its owner", async () => {
    const owner = await createUser(app);
    await app.rest("POST", "/v1/core/accounts", { body: registration({ email: owner.email, firstName: "Late" }) });
    expect((await mailsTo(app, owner.email))[0]?.text).toContain("http://portal.test/forgot-password/");
    await forgot(owner.email);
    expect(await isValid(await secretMailedTo(app, owner.email))).toBe(true);
    expect((await mailsTo(app, owner.email))[0]?.text).not.toContain("Late");
  });

  test.each(["o'brien+plan@example.com", "zoë@exämple.com", `${"a".repeat(60)}@${"b".repeat(60)}.example.com`])(
    "takes the address %s",
    async (email) => {
      await createUser(app, { email });
      expect((await forgot(email)).status).toBe(200);
      expect(await mailsTo(app, email)).toHaveLength(1);
    },
  );

  test.each([
    ["not an address", "Invalid Email Address"],
    ["a@b.co\r\nBcc: x@y.co", "Invalid Email Address"],
    [`${"a".repeat(250)}@x.co`, "Invalid Email Address"],
    [" ", "Email is required."],
  ])("refuses %j", async (email, sentence) => {
    const { status, json } = await forgot(email);
    expect(status).toBe(400);
    expect(json.email).toContain(sentence);
  });

  test("over GraphQL does the same", async () => {
    const user = await createUser(app);
    const ask = (email: string) =>
      app.graphql("mutation F($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) }", {
        input: { email },
      });
    expect((await ask(user.email)).data).toEqual({ requestPasswordReset: true });
    expect((await ask("nobody@example.com")).data).toEqual({ requestPasswordReset: true });
    expect((await ask("nobody")).errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: { email: ["Invalid Email Address"] },
    });
    const { data } = await app.graphql("query V($input: ResetTokenInput!) { isResetTokenValid(input: $input) }", {
      input: { resetToken: await secretMailedTo(app, user.email) },
    });
    expect(data).toEqual({ isResetTokenValid: true });
  });
});

test("200 pairs of known and unknown addresses are answered within 10 ms of each other", async () => {
  const known = (await createUser(app)).email;
  const ask = (email: string) => async () => expect((await forgot(email)).text).toBe("true");
  const gaps = await gapsWithin(10, 200, { unknown: ask("nobody@example.com"), known: ask(known) });
  expect(Math.abs(gaps.known ?? Number.NaN)).toBeLessThan(10);
}, 180_000);
