import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 20;
const em = () => app.services.orm.em.fork();

const confirm = (confirmationToken: string) => call("POST", "/v1/core/accounts/confirm-email", { confirmationToken });

async function requestChange(token: string, email: string) {
  const { password: _, confirmPassword: __, ...profile } = buildRegistration({ email });
  return call("PUT", "/v1/core/accounts/update-profile", profile, token);
}

async function findEmailedSecrets(email: string): Promise<string[]> {
  const emails = await listEmailsTo(app, email);
  return emails.map(({ text }) => /\?t=([\w-]+)/.exec(text)?.[1] ?? "");
}

test("gives an email address to one of six users who confirm it concurrently across two processes", async () => {
  const users = [];
  for (let n = 0; n < 6; n++) {
    const user = await createUser(app);
    users.push({ user, token: await signInAs(app, user) });
  }
  for (let round = 0; round < ROUNDS; round++) {
    const { email } = buildRegistration();
    await Promise.all(users.map(({ token }) => requestChange(token, email)));
    const secrets = await findEmailedSecrets(email);
    expect(secrets).toHaveLength(users.length);
    const answers = await Promise.all(secrets.map(confirm));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await em().count(User, { signInEmail: email })).toBe(1);
    expect(await em().count(User, { email })).toBe(1);
  }
}, 120_000);

test("confirms only the address that a link was sent to, or none, while the link is being replaced", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    const [first, second] = [buildRegistration().email as string, buildRegistration().email as string];
    await requestChange(token, first);
    const [secret = ""] = await findEmailedSecrets(first);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => confirm(secret)),
      ...Array.from({ length: 4 }, () => requestChange(token, second)),
    ]);
    const confirmed = answers.slice(0, 4).filter(({ status }) => status === 200).length;
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect(confirmed).toBeLessThanOrEqual(1);
    const after = await em().findOneOrFail(User, user.id);
    expect(after).toMatchObject({ email: confirmed ? first : user.email, pendingEmail: second });
    expect(after.signInEmail).toBe(after.email);
  }
}, 120_000);
