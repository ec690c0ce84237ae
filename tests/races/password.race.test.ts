import { expect, test } from "vitest";
import { createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { mailsTo, secretMailedTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const passwords = Array.from({ length: 8 }, (_, index) => `Critical-path-${index}`);

test("one reset link used eight times at once gives one new password", async () => {
  const user = await createUser(app);
  await app.rest("PATCH", `/v1/core/accounts/${user.email}/password/reset/request`);
  const resetToken = await secretMailedTo(app, user.email);
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
  expect((await mailsTo(app, user.email)).filter((mail) => mail.subject.includes("was changed"))).toHaveLength(1);
});

test("one existing password given from eight sessions at once is replaced once, and only its session lives", async () => {
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

test("asking for links while one is being used neither hangs nor fails", async () => {
  const user = await createUser(app);
  const ask = () => app.rest("PATCH", `/v1/core/accounts/${user.email}/password/reset/request`);
  await ask();
  const resetToken = await secretMailedTo(app, user.email);
  const [used, ...asked] = await Promise.all([
    app.rest("POST", "/v1/core/accounts/password/reset", {
      body: { password: "Critical-path-9", confirmPassword: "Critical-path-9", resetToken },
    }),
    ...Array.from({ length: 6 }, ask),
  ]);
  expect([200, 400]).toContain(used.status);
  expect(asked.map((answer) => answer.status)).toEqual(Array(6).fill(200));
});
