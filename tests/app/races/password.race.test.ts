import { LockMode } from "@mikro-orm/core";
import { expect, test, vi } from "vitest";
import { replacePassword } from "#api/access/passwords/replace-password.ts";
import { User } from "#api/people/users/user.entity.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo, findEmailedSecret } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);

const signIn = (user: User, Password = testPassword) =>
  call("POST", "/v1/core/auth/token", { UserName: user.email, Password, ClientId: "portal", GrantType: "password" });
const countLiveSessions = (user: User) => app.context().em.count(Session, { user: user.id, endedAt: null });

const passwords = Array.from({ length: 8 }, (_, index) => `Critical-path-${index}`);

test("sets one new password when a reset link is used eight times concurrently", async () => {
  const user = await createUser(app);
  await app.rest("PATCH", `/v1/core/accounts/${user.email}/password/reset/request`);
  const resetToken = await findEmailedSecret(app, user.email);
  const answers = await Promise.all(
    passwords.map((password) =>
      app.rest("POST", "/v1/core/accounts/password/reset", {
        body: { password, confirmPassword: password, resetToken },
      }),
    ),
  );
  expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array(7).fill(400),
  ]);
  expect((await listEmailsTo(app, user.email)).filter(({ subject }) => subject.includes("was changed"))).toHaveLength(
    1,
  );
});

test("changes a password once for eight concurrent requests and keeps only the winner's session", async () => {
  const user = await createUser(app);
  const tokens = await Promise.all(passwords.map(() => signInAs(app, user)));
  const answers = await Promise.all(
    passwords.map((password, index) =>
      app.rest("POST", "/v1/core/accounts/password/change", {
        token: tokens[index] ?? "",
        body: { existingPassword: testPassword, password, confirmPassword: password },
      }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  const alive = await Promise.all(tokens.map((token) => app.graphql("{ me { id } }", {}, token)));
  expect(alive.map((answer) => answer.errors === undefined)).toEqual(answers.map((answer) => answer.status === 200));
});

test("answers reset requests while a reset link is being used", async () => {
  const user = await createUser(app);
  const requestReset = () => app.rest("PATCH", `/v1/core/accounts/${user.email}/password/reset/request`);
  await requestReset();
  const resetToken = await findEmailedSecret(app, user.email);
  const [used, ...requests] = await Promise.all([
    app.rest("POST", "/v1/core/accounts/password/reset", {
      body: { password: "Critical-path-9", confirmPassword: "Critical-path-9", resetToken },
    }),
    ...Array.from({ length: 6 }, requestReset),
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
    await vi.waitFor(
      async () => {
        const waiting =
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        expect((await app.services.pool.query(waiting)).rowCount).toBe(1);
      },
      { timeout: 1_500, interval: 10 },
    );
    await replacePassword(context, em, locked, { passwordHash, kept: null });
    return { answer };
  });
  const { status, json } = await signingIn.answer;
  expect([status, Object.keys(json)]).toEqual([400, ["invalid_grant"]]);
  expect(await countLiveSessions(user)).toBe(0);
  expect((await signIn(user, "Critical-path-9")).status).toBe(200);
});

test("ends the sessions of users who sign in with the old password during a reset, across two processes", async () => {
  for (let round = 0; round < 15; round++) {
    const user = await createUser(app);
    await call("PATCH", `/v1/core/accounts/${user.email}/password/reset/request`);
    const resetToken = await findEmailedSecret(app, user.email);
    const password = "Critical-path-9";
    const [reset] = await Promise.all([
      call("POST", "/v1/core/accounts/password/reset", { password, confirmPassword: password, resetToken }),
      ...Array.from({ length: 3 }, () => signIn(user)),
    ]);
    expect(reset.status).toBe(200);
    // Only the session of the reset remains.
    expect(await countLiveSessions(user)).toBe(1);
  }
}, 60_000);
