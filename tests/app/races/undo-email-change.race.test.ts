import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { buildRegistration, createUser, signInAs } from "#tests/factories/user.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 8;
const em = () => app.services.orm.em.fork();

const freshEmail = () => buildRegistration().email as string;
const confirm = (confirmationToken: string) => call("POST", "/v1/core/accounts/confirm-email", { confirmationToken });
const undo = (token: string) => call("POST", "/v1/core/accounts/undo-email-change", { token });

async function requestChange(token: string, email: string) {
  const { password: _, confirmPassword: __, ...profile } = buildRegistration({ email });
  await call("PUT", "/v1/core/accounts/update-profile", profile, token);
}

async function findUndoSecrets(email: string): Promise<string[]> {
  const emails = await listEmailsTo(app, email);
  return emails.flatMap(({ text }) => /\/undo-email-change\/\?t=([\w-]+)/.exec(text)?.[1] ?? []);
}

async function setUp() {
  const user = await createUser(app);
  const token = await signInAs(app, user);
  const email = freshEmail();
  await requestChange(token, email);
  return { user, token, email };
}

test("keeps the old address when a change is confirmed and undone at the same time", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { user, email } = await setUp();
    const secret = await findEmailedSecret(app, email);
    const [undoSecret = ""] = await findUndoSecrets(user.email);
    const [undone] = await Promise.all([undo(undoSecret), confirm(secret), confirm(secret)]);
    expect(undone.status).toBe(200);
    expect(await em().findOneOrFail(User, user.id)).toMatchObject({ email: user.email, pendingEmail: null });
  }
}, 120_000);

test("undoes a change once, and while the next change is being confirmed", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { user, token, email } = await setUp();
    await confirm(await findEmailedSecret(app, email));
    const third = freshEmail();
    await requestChange(token, third);
    const [undoSecret = ""] = await findUndoSecrets(user.email);
    const next = await findEmailedSecret(app, third);
    const answers = await Promise.all([undo(undoSecret), undo(undoSecret), confirm(next), undo(undoSecret)]);
    const undone = [answers[0], answers[1], answers[3]].filter(({ status }) => status === 200);
    expect(undone).toHaveLength(1);
    expect(await em().findOneOrFail(User, user.id)).toMatchObject({ email: user.email, signInEmail: user.email });
    expect(await em().count(User, { signInEmail: third })).toBe(0);
  }
}, 120_000);

test("never gives the old address to somebody who registers it while the change is confirmed", async () => {
  await app.services.pool.query("delete from rate_limits");
  for (let round = 0; round < ROUNDS; round++) {
    const { user, email } = await setUp();
    const secret = await findEmailedSecret(app, email);
    await Promise.all([
      confirm(secret),
      ...Array.from({ length: 3 }, () => call("POST", "/v1/core/accounts", buildRegistration({ email: user.email }))),
    ]);
    expect(await em().count(User, { signInEmail: user.email })).toBe(0);
    const [undoSecret = ""] = await findUndoSecrets(user.email);
    expect((await undo(undoSecret)).status).toBe(200);
    expect(await em().findOneOrFail(User, { signInEmail: user.email })).toMatchObject({ id: user.id });
    await app.services.pool.query("delete from rate_limits");
  }
}, 120_000);
