import { expect, test } from "vitest";
import { emailNewDeviceSignIn } from "#api/access/sessions/known-device.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { DAY } from "#api/platform/clock.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { createEndpoint } from "#tests/factories/webhook.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";
import { createAccountCalls, getErrorCode } from "#tests/factories/account.ts";

const app = await startTestApp();
const receiver = await startReceiver();

const { resetPassword: reset } = createAccountCalls(app);
const fields = "sessionsEnded tokensRevoked webhooksPaused email";
const secure = (token: string) => app.graphql(`secureMyAccount { ${fields} }`, {}, token);
const secureByLink = (token: string) => app.graphql(`secureAccountByLink { ${fields} }`, { token });
const signIn = async (user: User, password = testPassword): Promise<boolean> => {
  const { data } = await app.graphql("signIn { session { accessToken } }", { input: { email: user.email, password } });
  return Boolean(data?.signIn?.session);
};
const works = async (token: string) => !(await app.graphql("me { id }", {}, token)).errors;

/** A user with an endpoint, a token, the thief's session and their own. */
async function createVictim() {
  const user = await createUser(app);
  await createEndpoint(app, receiver, user);
  const { secret: program } = await createToken(app, user);
  const [thief, own] = [await signInAs(app, user), await signInAs(app, user)];
  return { user, program, thief, own };
}

/** Sends the email about a sign-in from a new browser, and returns the secret of its link. */
async function emailLink(user: User): Promise<string> {
  const context = createContext(app.services, {
    origin: { ip: "198.51.100.7", userAgent: "Mozilla/5.0 Firefox/140.0" },
  });
  await inTransaction(context, async (em) => {
    const found = await em.findOneOrFail(User, user.id);
    found.firstSignedInAt ??= context.clock.now();
    await emailNewDeviceSignIn(context, em, found);
  });
  return findEmailedSecret(app, user.email);
}

const reportsSql = "select from security_events where type = 'account.secured' and user_id = $1";
const countReports = async (user: User) => (await app.services.pool.query(reportsSql, [user.id])).rowCount;

test("ends everything but this session, and only a new password signs in again", async () => {
  const { user, program, thief, own } = await createVictim();
  const { data, errors } = await secure(own);
  expect(errors).toBeUndefined();
  expect(data.secureMyAccount).toMatchObject({ tokensRevoked: 1, webhooksPaused: 1, email: user.email });
  expect(data.secureMyAccount.sessionsEnded).toBeGreaterThanOrEqual(1);
  expect([await works(thief), await works(program), await works(own)]).toEqual([false, false, true]);
  expect(await signIn(user)).toBe(false);
  const text = (await listEmailsTo(app, user.email))[0]?.text;
  expect(text).toContain("your old password no longer works");
  expect(text).not.toContain("password reset");
  const password = "Quite-different-81";
  expect((await reset(await findEmailedSecret(app, user.email), password)).status).toBe(200);
  expect(await signIn(user, password)).toBe(true);
  const select = "select enabled, disabled_reason from webhook_endpoints where owner_id = $1";
  const { rows } = await app.services.pool.query(select, [user.id]);
  expect(rows).toEqual([{ enabled: false, disabled_reason: expect.stringContaining("wasn't you") }]);
});

test("repeated and concurrent reports send one email, keep its link, and end what began since", async () => {
  const { user, own } = await createVictim();
  const answers = await Promise.all([secure(own), secure(own), secure(own)]);
  expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined]);
  expect(await countReports(user)).toBe(1);
  const links = (await listEmailsTo(app, user.email)).filter(({ subject }) =>
    subject.startsWith("Choose a new password"),
  );
  expect(links).toHaveLength(1);
  const later = await signInAs(app, user);
  expect((await secure(own)).data.secureMyAccount).toMatchObject({ sessionsEnded: 1, tokensRevoked: 0 });
  expect(await works(later)).toBe(false);
  expect((await reset(await findEmailedSecret(app, user.email), "Quite-different-82")).status).toBe(200);
});

test("the link of the email about a new sign-in secures the account and leads to a new password", async () => {
  const { user, program, thief, own } = await createVictim();
  const link = await emailLink(user);
  // Staff may correct the letter case of the address meanwhile.
  await app.context().em.nativeUpdate(User, user.id, { email: user.email.replace("person", "Person") });
  const answers = await Promise.all([secureByLink(link), secureByLink(link)]);
  expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined]);
  expect([await works(thief), await works(program), await works(own)]).toEqual([false, false, false]);
  expect(await countReports(user)).toBe(1);
  expect(await signIn(user)).toBe(false);
  expect((await reset(link, "Quite-different-83")).status).toBe(200);
  expect((await secureByLink(link)).errors?.[0]?.extensions.fields).toEqual({
    token: ["Sorry, this link is invalid. It works once, within 7 days."],
  });
});

test("the link expires after 7 days, and a wrong one is refused", async () => {
  const user = await createUser(app);
  const link = await emailLink(user);
  app.clock.setOffset(7 * DAY);
  expect((await secureByLink(link)).errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  app.clock.setOffset(0);
  expect((await secureByLink("x".repeat(43))).errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  expect(await signIn(user)).toBe(true);
});

test("lists sign-ins, uses of tokens and exports of the caller, newest first, and nothing of others", async () => {
  const [user, other] = [await createUser(app), await createUser(app)];
  await signIn(user);
  await signIn(user, "Wrong-password-1");
  const { secret: program } = await createToken(app, user, ["profile:read"], { name: "Nightly" });
  await works(program);
  await signIn(other);
  const token = await signInAs(app, user);
  await app.rest("GET", "/v1/core/accounts/my-data", { token });
  const query = (as: string, first = 50) => app.graphql("accountActivity { rows { kind description } }", { first }, as);
  const read = async (as: string, field: string) =>
    (await query(as)).data.accountActivity.rows.map((row: Record<string, string>) => row[field]);
  await expect
    .poll(() => read(token, "description"))
    .toEqual(
      expect.arrayContaining([
        "Data exported: Own data",
        "Used the token “Nightly”",
        "Sign-in failed: Wrong password",
        "Signed in: Portal",
      ]),
    );
  expect(await read(await signInAs(app, other), "kind")).not.toContain("TOKEN_USED");
  expect(getErrorCode(await query(token, 101))).toBe("BAD_USER_INPUT");
  expect(getErrorCode(await query(program))).toBe("FORBIDDEN");
});
