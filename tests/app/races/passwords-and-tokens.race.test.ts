import { LockMode } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { replacePassword } from "#api/access/passwords/replace-password.ts";
import { createToken as createTokenAction } from "#api/access/personal-access-tokens/tokens.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { MemberType } from "#schema/user.ts";
import { MAX_TOKENS } from "#schema/personal-access-token.ts";
import { buildProfile, createAccountCalls } from "#tests/factories/account.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createAdmin, createSignedIn, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { atOnce, ROUNDS, sortStatuses } from "#tests/support/crowds.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { retryUntilServed, settle } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses, openSecondProcess } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const accounts = createAccountCalls(app);
const em = () => app.services.orm.em.fork();

const signIn = (user: User, Password = testPassword) =>
  call("POST", "/v1/core/auth/token", { UserName: user.email, Password, ClientId: "portal", GrantType: "password" });
const countLiveSessions = (user: User) => app.context().em.count(Session, { user: user.id, endedAt: null });

const passwords = Array.from({ length: 8 }, (_, index) => `Critical-path-${index}`);

test("sets one new password when a reset link is used eight times concurrently", async () => {
  const user = await createUser(app);
  const resetToken = await accounts.requestResetToken(user);
  const reset = (password: string) => retryUntilServed(() => accounts.resetPassword(resetToken, password));
  const answers = await Promise.all(passwords.map(reset));
  expect(sortStatuses(answers)).toEqual([200, ...Array(7).fill(400)]);
  const emails = await listEmailsTo(app, user.email);
  expect(emails.filter(({ subject }) => subject.includes("was changed"))).toHaveLength(1);
});

test("changes a password once for eight concurrent requests and keeps only the winner's session", async () => {
  const user = await createUser(app);
  const tokens = await Promise.all(passwords.map(() => signInAs(app, user)));
  const answers = await Promise.all(
    passwords.map((password, index) =>
      retryUntilServed(() => accounts.changePassword(tokens[index] ?? "", { password, confirmPassword: password })),
    ),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  const alive = await Promise.all(tokens.map((token) => app.graphql("{ me { id } }", {}, token)));
  expect(alive.map((answer) => answer.errors === undefined)).toEqual(answers.map((answer) => answer.status === 200));
});

test("answers reset requests while a reset link is being used", async () => {
  const user = await createUser(app);
  const resetToken = await accounts.requestResetToken(user);
  const [used, ...requests] = await Promise.all([
    accounts.resetPassword(resetToken, "Critical-path-9"),
    ...Array.from({ length: 6 }, () => accounts.requestReset(user.email)),
  ]);
  expect([200, 400]).toContain(used.status);
  expect(requests.map((answer) => answer.status)).toEqual(Array(6).fill(200));
});

test("opens no session if the password is replaced after a sign-in has verified the old one", async () => {
  const user = await createUser(app);
  const passwordHash = await hashPassword("Critical-path-9");
  const context = app.context();
  const signingIn = await context.em.transactional(async (em) => {
    const locked = await em.findOneOrFail(User, user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const answer = signIn(user);
    // The sign-in waits for the row after it has read the old hash and verified the password.
    await waitForLock(app);
    await replacePassword(context, em, locked, { passwordHash, kept: null });
    return { answer };
  });
  const { status, json } = await signingIn.answer;
  expect([status, Object.keys(json)]).toEqual([400, ["invalid_grant"]]);
  expect(await countLiveSessions(user)).toBe(0);
  expect((await signIn(user, "Critical-path-9")).status).toBe(200);
});

test("ends the sessions of users who sign in with the old password during a reset, across two processes", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const user = await createUser(app);
    await call("PATCH", `/v1/core/accounts/${user.email}/password/reset/request`);
    const resetToken = await findEmailedSecret(app, user.email);
    const body = { password: "Critical-path-9", confirmPassword: "Critical-path-9", resetToken };
    const resetting = call("POST", "/v1/core/accounts/password/reset", body);
    const [reset] = await Promise.all([resetting, atOnce(3, () => signIn(user))]);
    expect(reset.status).toBe(200);
    // Only the session of the reset remains.
    expect(await countLiveSessions(user)).toBe(1);
  }
});

const otherProcess = await openSecondProcess(app);

test("stops at the limit of personal access tokens with concurrent creations across two processes", async () => {
  for (let round = 0; round < ROUNDS.of20; round++) {
    const user = await createUser(app);
    const actor = { userId: user.id, sessionId: user.id, role: "regular" as const };
    const values = { name: "Export", scopes: ["profile:read" as const], networks: [], expiresInDays: 30 };
    const outcomes = await atOnce(MAX_TOKENS + 4, (n) =>
      settle(() => createTokenAction(createContext(n % 2 ? otherProcess : app.services, { actor }), values)),
    );
    for (const outcome of outcomes) expect(["CONFLICT", "done"]).toContain(outcome);
    expect(await em().count(PersonalAccessToken, { user: user.id })).toBe(MAX_TOKENS);
  }
});

test("rejects a personal access token in both processes on the first request after one of them revoked it", async () => {
  const { user, token: session } = await createSignedIn(app);
  const url = `/v1/licence/${user.id}`;
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { secret, token } = await createToken(app, user, ["licences:read"]);
    for (let n = 0; n < 2; n++) expect((await call("GET", url, undefined, secret)).status).toBe(200);
    const query = `mutation { revokePersonalAccessToken(id: "${token.id}") { id } }`;
    expect((await call("POST", "/graphql", { query }, session)).json).not.toHaveProperty("errors");
    for (let n = 0; n < 2; n++) expect((await call("GET", url, undefined, secret)).status).toBe(401);
  }
});

test("records a token's concurrent uses in two processes only once", async () => {
  const { secret, token } = await createToken(app, await createAdmin(app), ["users:read"]);
  await atOnce(20, () => call("POST", "/graphql", { query: "{ users { total } }" }, secret));
  const [{ updates } = { updates: "" }] = await em().execute<{ updates: string }[]>(
    // PostgreSQL changes xmin whenever a row is updated, and only recording a use updates this row.
    "select xmin::text as updates from personal_access_tokens where id = ?",
    [token.id],
  );
  await atOnce(20, () => call("POST", "/graphql", { query: "{ users { total } }" }, secret));
  const select = "select xmin::text as updates from personal_access_tokens where id = ?";
  expect((await em().execute<{ updates: string }[]>(select, [token.id]))[0]?.updates).toBe(updates);
});

test("revokes a token created while its owner becomes an admin, unless the owner is an admin when it is created", async () => {
  const admin = await createAdmin(app);
  const session = await signInAs(app, admin);
  for (let round = 0; round < ROUNDS.of2; round++) {
    const { user, token: own } = await createSignedIn(app);
    const query = `mutation { createPersonalAccessToken(input: { name: "x", scopes: [LICENCES_READ], expiresInDays: 1 }) { secret } }`;
    const promoted = { id: user.id, memberType: MemberType.Admin, annualDeactivationLimit: 3 };
    const body = { ...buildProfile({ email: user.email }), ...promoted };
    const [created, updated] = await Promise.all([
      call("POST", "/graphql", { query }, own),
      call("PUT", "/v1/users/admin/update-user", body, session),
    ]);
    expect(updated.status).toBe(200);
    expect((await em().findOneOrFail(User, user.id)).memberType).toBe(MemberType.Admin);
    const [token] = await em().find(PersonalAccessToken, { user: user.id });
    const audited = await em().execute("select 1 from audit_entries where user_id = ? and action = 'create-token'", [
      user.id,
    ]);
    // A token created before the promotion is revoked. One created afterwards belongs to an admin, which the audit log records.
    expect([token?.revokedAt === null, created.json.errors]).toEqual([audited.length === 1, undefined]);
  }
});
