import { describe, expect, test } from "vitest";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { createUser, buildRegistration } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { measureGaps } from "#tests/support/timing.ts";

const app = await startTestApp();

const forgot = (email: string, headers = {}) =>
  app.rest("PATCH", `/v1/core/accounts/${encodeURIComponent(email)}/password/reset/request`, { headers });
const isValid = async (resetToken: unknown) =>
  (await app.rest("POST", "/v1/core/accounts/token/validate", { body: { resetToken } })).json;
const countEmails = () => app.context().em.count(Email);

describe("requesting a reset link", () => {
  test("emails a link to this site regardless of the Host header and stores no secret", async () => {
    const user = await createUser(app);
    const answer = await forgot(user.email.toUpperCase(), { host: "evil.example", "x-forwarded-host": "evil.example" });
    expect([answer.status, answer.text]).toEqual([200, "true"]);
    const [mail] = await listEmailsTo(app, user.email);
    expect(mail?.to).toBe(user.email);
    expect(mail?.text).toContain("http://portal.test/reset-password/?t=");
    expect(mail?.text).not.toContain("evil");
    const secret = await findEmailedSecret(app, user.email);
    expect(await isValid(secret)).toBe(true);
    const [token] = await app.context().em.find(EmailToken, { user: user.id });
    expect(JSON.stringify(token)).not.toContain(secret);
  });

  test("returns identical responses for unknown and archived addresses and sends no email", async () => {
    const known = await forgot((await createUser(app)).email);
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    const before = await countEmails();
    for (const email of ["nobody@example.com", archived.email]) {
      const answer = await forgot(email);
      expect([answer.status, answer.text]).toEqual([known.status, known.text]);
      const shown = ({ headers }: typeof answer) => [...headers.keys()].filter((name) => name !== "date").toSorted();
      expect(shown(answer)).toEqual(shown(known));
    }
    expect(await countEmails()).toBe(before);
    expect(await app.services.jobs.drain()).toBeGreaterThan(0);
  });

  test("also emails unconfirmed users", async () => {
    const user = await createUser(app, { emailConfirmedAt: null });
    await forgot(user.email);
    expect(await isValid(await findEmailedSecret(app, user.email))).toBe(true);
  });

  test("emails the owner of an address that was registered twice", async () => {
    const owner = await createUser(app);
    await app.rest("POST", "/v1/core/accounts", { body: buildRegistration({ email: owner.email, firstName: "Late" }) });
    expect((await listEmailsTo(app, owner.email))[0]?.text).toContain("http://portal.test/forgot-password/");
    await forgot(owner.email);
    expect(await isValid(await findEmailedSecret(app, owner.email))).toBe(true);
    expect((await listEmailsTo(app, owner.email))[0]?.text).not.toContain("Late");
  });

  test.each(["o'brien+plan@example.com", "zoë@exämple.com", `${"a".repeat(60)}@${"b".repeat(60)}.example.com`])(
    "accepts the address %s",
    async (email) => {
      await createUser(app, { email });
      expect((await forgot(email)).status).toBe(200);
      expect(await listEmailsTo(app, email)).toHaveLength(1);
    },
  );

  test.each([
    ["not an address", "Invalid Email Address"],
    ["a@b.co\r\nBcc: x@y.co", "Invalid Email Address"],
    [`${"a".repeat(250)}@x.co`, "Invalid Email Address"],
    [" ", "Email is required."],
  ])("rejects %j", async (email, message) => {
    const { status, json } = await forgot(email);
    expect(status).toBe(400);
    expect(json.email).toContain(message);
  });

  test("works the same over GraphQL", async () => {
    const user = await createUser(app);
    const request = (email: string) =>
      app.graphql("mutation F($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) }", {
        input: { email },
      });
    expect((await request(user.email)).data).toEqual({ requestPasswordReset: true });
    expect((await request("nobody@example.com")).data).toEqual({ requestPasswordReset: true });
    expect((await request("nobody")).errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: { email: ["Invalid Email Address"] },
    });
    const { data } = await app.graphql("query V($input: ResetTokenInput!) { isResetTokenValid(input: $input) }", {
      input: { resetToken: await findEmailedSecret(app, user.email) },
    });
    expect(data).toEqual({ isResetTokenValid: true });
  });
});

test("takes the same time for known and unknown addresses, within 10 ms over 200 pairs", async () => {
  const known = (await createUser(app)).email;
  const request = (email: string) => async () => expect((await forgot(email)).text).toBe("true");
  const gaps = await measureGaps(10, 200, { unknown: request("nobody@example.com"), known: request(known) });
  expect(Math.abs(gaps.known ?? Number.NaN)).toBeLessThan(10);
}, 180_000);
